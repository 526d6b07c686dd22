-- Claims that cite another repository in the fleet, if the cited target is missing there.
SELECT DISTINCT repository, path, line, there, cited, reason
FROM elsewhere_verdicts WHERE verdict = 'refuted' ORDER BY there, cited, repository, path, line
