; Captures the definitions in C and C++ code. Values inside a @local node are not definitions.
[
  (function_definition) (preproc_function_def)
  (field_declaration declarator: (function_declarator))
] @function
[
  (struct_specifier body: (_)) (class_specifier body: (_)) (union_specifier body: (_))
  (enum_specifier body: (_)) (namespace_definition) (alias_declaration) (concept_definition)
  (type_definition type: [(struct_specifier !name) (union_specifier !name) (enum_specifier !name)])
  (type_definition type: [(type_identifier) (primitive_type) (qualified_identifier) (template_type)])
] @type
[(preproc_def) (declaration) (field_declaration) (enumerator)] @value
[(function_definition) (lambda_expression)] @local
