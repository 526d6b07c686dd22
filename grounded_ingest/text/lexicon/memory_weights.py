"""The weight of each cue for semantic, episodic and procedural memory.

Written by `python -m benchmarks.memory_weights` from the labelled claims that are for tuning, from
weights set by hand. Natural logarithms; the sums make a softmax. Cues that are not
here count nothing.
"""

# For a claim without cues.
BIAS = (0.71, -0.33, -0.38)

WEIGHTS = {
    "about cell": (0.13, -0.06, -0.07), "about label": (1.26, -0.84, -0.42), "always": (-0.51, -0.57, 1.07),
    "announces": (-0.0, -0.22, 0.22), "article first": (0.9, -0.16, -0.74), "article first, decisions": (-0.05, 0.05, -0.0),
    "article first, log": (0.05, -0.02, -0.03), "article first, other": (0.12, -0.02, -0.09), "article first, plan": (0.1, -0.08, -0.02),
    "article first, reference": (-0.13, 0.11, 0.02), "article first, rules": (0.33, -0.04, -0.29), "asking label": (-0.65, -0.21, 0.87),
    "asking label, plan": (-0.23, 0.47, -0.23), "asks later": (-0.31, -0.42, 0.73), "bare verb": (-0.45, -0.42, 0.87),
    "bare verb, decisions": (0.06, -0.03, -0.04), "bare verb, howto": (-0.36, -0.28, 0.63), "bare verb, other": (-0.03, -0.03, 0.06),
    "bare verb, plan": (-0.64, 1.33, -0.69), "bare verb, reference": (0.64, -0.39, -0.26), "bare verb, rules": (-0.5, -0.39, 0.89),
    "can": (0.08, -0.09, 0.0), "changelog document": (-0.64, 1.21, -0.58), "code": (0.75, -0.52, -0.23), "code first": (0.55, -0.41, -0.15),
    "code, changes": (0.08, -0.08, -0.0), "code, decisions": (-0.11, 0.12, -0.01), "code, howto": (0.22, -0.02, -0.2),
    "code, other": (-0.06, -0.02, 0.08), "code, plan": (0.15, -0.12, -0.03), "code, reference": (0.04, -0.09, 0.05),
    "code, rules": (-0.13, -0.04, 0.18), "command": (-0.57, -0.53, 1.1), "command, howto": (-0.38, -0.37, 0.75),
    "command, rules": (-0.37, -0.37, 0.75), "condition first": (0.11, -0.06, -0.05), "condition first, howto": (0.05, -0.02, -0.03),
    "condition, imperative": (-0.74, -0.61, 1.36), "condition, imperative, howto": (-0.45, -0.38, 0.83),
    "condition, imperative, other": (-0.4, -0.38, 0.78), "condition, imperative, rules": (-0.4, -0.38, 0.78), "date": (-0.82, 1.5, -0.68),
    "dated document": (-0.43, 0.82, -0.39), "decisions document": (0.38, 0.07, -0.45), "done mark": (0.21, -0.19, -0.02),
    "done mark cell": (-0.17, 0.18, -0.01), "event": (-0.17, 0.54, -0.37), "event first": (-0.7, 1.4, -0.7), "first": (-0.37, -0.37, 0.75),
    "future": (-0.21, 0.65, -0.44), "gerund": (0.45, -0.34, -0.11), "gerund, log": (-0.26, 0.13, 0.13),
    "gerund, reference": (0.05, -0.05, -0.0), "habit": (0.03, -0.13, 0.1), "imperative": (-0.59, -0.57, 1.16),
    "imperative cell": (-0.39, -0.27, 0.66), "imperative, changes": (-0.63, 1.26, -0.63), "imperative, howto": (-0.36, -0.3, 0.66),
    "imperative, log": (-0.7, 1.4, -0.7), "imperative, other": (0.11, 0.09, -0.2), "imperative, plan": (-0.8, 1.41, -0.61),
    "imperative, reference": (0.86, -0.4, -0.46), "imperative, rules": (-0.48, -0.24, 0.72), "in changes": (-0.5, 0.95, -0.45),
    "in day": (-0.31, 0.55, -0.24), "in done": (-0.5, 0.91, -0.4), "in howto": (-0.17, -0.28, 0.45), "in plan": (-0.31, 0.88, -0.57),
    "in reference": (0.08, 0.29, -0.37), "in rules": (-0.33, -0.58, 0.91), "in version": (-0.54, 1.11, -0.56),
    "infinitive, plan": (-0.71, 1.41, -0.7), "label": (0.26, 0.11, -0.37), "lessons document": (0.17, -0.36, 0.19),
    "log document": (-0.43, 0.98, -0.55), "main can": (1.11, -0.59, -0.52), "main ed": (-0.4, 0.95, -0.55),
    "main future": (0.15, -0.01, -0.13), "main must": (-0.81, -1.03, 1.85), "main past": (-0.66, 1.36, -0.7),
    "main perfect": (-0.62, 1.35, -0.73), "main present": (1.02, -0.6, -0.42), "main should": (-0.55, -0.56, 1.11),
    "main third person": (1.06, -0.32, -0.74), "metadata": (0.59, -0.3, -0.29), "must": (-0.83, -1.14, 1.97),
    "negated noun": (-0.36, -0.44, 0.81), "negated noun, rules": (-0.4, -0.37, 0.77), "never": (-0.58, -0.59, 1.17),
    "no verb": (0.43, -0.22, -0.21), "noun": (0.35, -0.35, 0.01), "noun, changes": (-0.53, 1.24, -0.72), "noun, howto": (0.09, -0.12, 0.03),
    "noun, log": (0.06, -0.09, 0.03), "noun, other": (0.05, -0.04, -0.01), "noun, plan": (-0.26, 0.31, -0.05),
    "noun, reference": (0.39, -0.13, -0.26), "noun, rules": (-0.05, -0.2, 0.25), "now": (-0.34, 0.75, -0.41), "number": (-0.29, 0.4, -0.11),
    "number, log": (-0.04, 0.06, -0.02), "number, plan": (-0.03, 0.05, -0.02), "number, reference": (-0.26, 0.28, -0.02),
    "open mark": (-0.37, 0.75, -0.37), "participle": (0.21, -0.08, -0.13), "participle first": (0.65, -0.32, -0.33),
    "past": (-0.23, 0.48, -0.26), "past verb": (0.18, -0.15, -0.03), "past verb, changes": (-0.7, 1.4, -0.7),
    "past verb, log": (-0.67, 1.26, -0.59), "past verb, plan": (-0.67, 1.38, -0.7), "past verb, reference": (-0.01, 0.06, -0.05),
    "past verb, rules": (0.05, -0.02, -0.03), "plan document": (-0.44, 0.81, -0.37), "present": (-0.0, -0.21, 0.21),
    "prohibition": (-0.62, -0.57, 1.19), "prohibition, rules": (-0.4, -0.38, 0.78), "row": (0.49, -0.01, -0.48),
    "rule cell": (0.19, -0.03, -0.16), "rule label": (-0.47, -0.56, 1.04), "rules document": (-0.17, -0.78, 0.94),
    "runbook document": (-0.14, -0.4, 0.54), "see first": (1.18, -0.57, -0.61), "short": (0.15, -0.11, -0.03),
    "should": (-0.62, -0.42, 1.05), "state cell": (-0.2, 0.23, -0.03), "state label": (-0.48, 0.88, -0.4),
    "step cell": (-0.03, -0.01, 0.05), "step label": (0.04, 0.11, -0.15), "stop mark": (-0.13, -0.0, 0.14), "term": (1.07, -0.57, -0.5),
    "term does": (0.96, -0.47, -0.49), "third person": (1.28, -0.57, -0.71), "third person, howto": (0.05, -0.04, -0.01),
    "third person, log": (-0.05, 0.05, -0.01), "third person, reference": (0.77, -0.38, -0.38), "time": (-0.29, 0.67, -0.38),
    "to do": (-0.59, -0.48, 1.06), "to do, howto": (-0.08, -0.01, 0.09), "to first": (-0.29, -0.43, 0.72),
    "under changes": (-0.27, 0.64, -0.37), "under day": (-0.44, 0.85, -0.42), "under done": (-0.12, 0.88, -0.76),
    "under howto": (-0.09, -0.27, 0.37), "under plan": (-0.4, 0.8, -0.4), "under reference": (0.31, -0.2, -0.11),
    "under rules": (-0.36, -0.33, 0.69), "under version": (-0.3, 0.71, -0.41), "we": (0.1, 0.01, -0.11), "we first": (0.01, 0.07, -0.08),
    "we first, reference": (-0.08, 0.09, -0.01), "we first, rules": (0.09, -0.02, -0.07), "wh first": (1.13, -0.56, -0.57),
    "with first": (0.15, -0.06, -0.09), "with first, howto": (0.07, -0.02, -0.05), "with first, imperative": (-0.37, -0.37, 0.75),
    "you": (-0.04, -0.08, 0.12),
}  # fmt: skip
