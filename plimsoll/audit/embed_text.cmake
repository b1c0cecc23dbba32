# cmake -DINPUT=data/zoo.csv -DOUTPUT=zoo_data.cpp -P embed_text.cmake: the file as a string in the binary.
file(READ ${INPUT} content)
file(WRITE ${OUTPUT} "#include \"plimsoll/audit/zoo.h\"\n\nnamespace plimsoll::audit {\n\nstd::string_view zoo_csv() {\n    return R\"zoo(${content})zoo\";\n}\n\n}  // namespace plimsoll::audit\n")
