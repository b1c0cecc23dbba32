# cmake -DINPUT=page.css -DOUTPUT=page_css.cpp -DHEADER=... -DSPACE=plimsoll::report -DNAME=page_css -P embed_text.cmake:
# the file as a string in the binary, given by the function NAME that HEADER declares.
file(READ ${INPUT} content)
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nnamespace ${SPACE} {\n\nstd::string_view ${NAME}() {\n    return R\"embedded(${content})embedded\";\n}\n\n}  // namespace ${SPACE}\n")
