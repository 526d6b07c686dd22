; Captures the definitions in shell scripts. Values inside a @local node are not definitions.
(function_definition) @function
(variable_assignment) @value
(function_definition) @local
