; Captures the definitions in Go code. Values inside a @local node are not definitions.
[(function_declaration) (method_declaration) (method_elem)] @function
[(type_spec) (type_alias)] @type
[(const_spec) (var_spec) (field_declaration)] @value
[(function_declaration) (method_declaration) (func_literal)] @local
