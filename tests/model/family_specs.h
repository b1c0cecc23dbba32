#pragma once

#include <vector>

namespace plimsoll::model {

// Small networks of every family with most of their keys. Smooth activations: where gradients are held
// against differences, a kink would be a wrong difference, not a wrong gradient.
inline const std::vector<const char*> family_specs{
    "attention:depth=2,width=4,heads=2,vocab=5,embedding_rank=2,position_rank=2,context=5",
    "transformer:depth=2,width=8,heads=2,vocab=7,context=6",
    "transformer:depth=2,width=8,heads=2,vocab=7,context=6,embedding_rank=3,tied=off,head_rank=2",
    "transformer:depth=2,width=8,heads=4,kv_heads=2,head_dim=3,vocab=7,positions=rope,norm=rms,"
    "ffn_matrices=3,activation=silu,bias=off",
    "transformer:depth=2,width=8,heads=2,vocab=7,context=6,style=modern",
    "transformer:depth=1,width=8,heads=2,patch=2,image=4,image_channels=1,classes=3,style=modern",
    "transformer:depth=2,width=8,heads=3,head_dim=4,vocab=7,positions=alibi,order=parallel",
    "transformer:depth=2,width=8,heads=2,vocab=7,positions=relative,stack=encoder,norm_order=both",
    "transformer:depth=2,width=8,heads=2,vocab=7,stack=encoder,norm_order=post,segments=2,pooler=on,"
    "classes=3,embedding_norm=on",
    "transformer:depth=2,width=8,heads=2,vocab=7,order=attention-first,attention=linear,position_rank=2",
    "transformer:depth=3,width=8,heads=2,vocab=7,layer_groups=1,embedding_rank=4,positions_in_rank=on,"
    "segments=2,head_transform=on,head_bias=on,stack=encoder",
    "transformer:depth=1,width=8,heads=2,patch=2,image=4,image_channels=1,classes=3",
    "square-mixer:rows=3,cols=2,depth=2,permutations=random,permutation_seed=3",
    "square-mlp:rows=3,cols=2,depth=2,residual=2",
    "mixer:depth=2,channels=4,patch=2,image=4,image_channels=3,classes=3",
    "mixer:depth=2,channels=4,tokens=4,vocab=6",
    "s-mixer:depth=2,channels=4,tokens=4,vocab=6",
    "s-mixer:depth=2,tokens=3,channels=4",
    "rp-mixer:depth=2,tokens=3,channels=4,expansion=2",
    "pk:depth=2,width=8,blocks=4+2,activation=tanh,bias=on,norm=layer,skip=on",
    "sw-mlp:depth=2,width=8,connections=20,activation=tanh,bias=on,inputs=5,classes=3",
    "sw-mlp:depth=2,width=8,hidden=12,density=0.2,activation=gelu,skip=on",
    "monarch:depth=2,width=8,blocks=2,second_blocks=4,activation=tanh,bias=on",
    "monarch:depth=1,width=8,hidden=16,blocks=2,tied_blocks=on,activation=tanh",
    "mlp:depth=2,width=8,inputs=5,classes=3,activation=gelu",
    "mlp:depth=2,width=8,inputs=2,categories=3+4,classes=1,activation=gelu,norm=layer",
    "mlp:depth=2,width=8,categories=3+4,hidden=none,skip=off,activation=tanh",
    "s2-mlp:depth=2,channels=8,patch=2,image=6,image_channels=1,classes=3",
    "vip:depth=2,channels=8,patch=2,image=4,image_width=8,image_channels=1,classes=3",
    "hire-mlp:depth=2,channels=8,patch=2,image=8,image_channels=1,classes=3,cross_region=2"};

}  // namespace plimsoll::model
