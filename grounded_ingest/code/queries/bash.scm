; What shell scripts define. @local: values inside it are local and no definitions.
(function_definition) @function
(variable_assignment) @value
(function_definition) @local
