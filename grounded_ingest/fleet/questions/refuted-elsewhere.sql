-- Claims that cite another repository, where it does not bear them out.
SELECT repository, path, line, there, cited, reason
FROM elsewhere_verdicts WHERE verdict = 'refuted' ORDER BY repository, path, line
