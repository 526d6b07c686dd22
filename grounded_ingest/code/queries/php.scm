; Captures the definitions in PHP code. Values inside a @local node are not definitions.
[(function_definition) (method_declaration)] @function
[
  (class_declaration) (interface_declaration) (trait_declaration) (enum_declaration)
] @type
[(const_element) (property_element) (enum_case) (property_promotion_parameter)] @value
[(function_definition) (method_declaration) (anonymous_function)] @local
