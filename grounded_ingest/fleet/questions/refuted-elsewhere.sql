-- Claims that cite another repository, where it does not bear them out.
SELECT DISTINCT repository, path, line, there, cited, reason
FROM elsewhere_verdicts WHERE verdict = 'refuted' ORDER BY there, cited, repository, path, line
