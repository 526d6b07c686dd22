; Captures the definitions in Swift code. Values inside a @local node are not definitions.
; An @owner node gives its type as the owner of the definitions inside it, but defines no name.
[(function_declaration) (protocol_function_declaration)] @function
[
  (class_declaration name: (type_identifier)) (protocol_declaration) (typealias_declaration)
] @type
(class_declaration name: (user_type)) @owner
[(property_declaration) (protocol_property_declaration) (enum_entry)] @value
[(function_declaration) (init_declaration) (lambda_literal) (computed_property)] @local
