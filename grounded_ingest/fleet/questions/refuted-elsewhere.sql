-- Claims that cite another repository of the fleet, if that repository lacks what they cite.
SELECT DISTINCT repository, path, line, there, cited, reason
FROM elsewhere_verdicts WHERE verdict = 'refuted' ORDER BY there, cited, repository, path, line
