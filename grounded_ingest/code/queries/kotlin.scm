; Captures the definitions in Kotlin code. Values inside a @local node are not definitions.
(function_declaration) @function
[(class_declaration) (object_declaration) (companion_object) (type_alias)] @type
[
  (property_declaration (variable_declaration) @value)
  (enum_entry) @value
  (class_parameter) @value
]
[(function_declaration) (lambda_literal) (anonymous_initializer) (getter) (setter)] @local
