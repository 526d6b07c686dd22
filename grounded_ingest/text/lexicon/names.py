"""Parts of names that are ignored when names are compared, and other spellings of names as
`name=spelling=spelling`."""

SUFFIXES = "inc incorporated llc ltd limited corp corporation co company gmbh ag plc sa bv oy ab group holdings llp pty kk"
ARTICLES = "a an the"

ALIASES = (
    # places
    "new york city=nyc=new york=ny=the big apple", "san francisco=sf=san fran", "los angeles=la=l.a.",
    "washington dc=washington d.c.=dc=d.c.=washington, dc=washington, d.c.", "united states=us=usa=u.s.=u.s.a.=united states of america=america",
    "united kingdom=uk=u.k.=great britain=britain", "united arab emirates=uae", "european union=eu",
    "saint louis=st. louis=st louis", "saint petersburg=st. petersburg", "philadelphia=philly", "las vegas=vegas",
    "mumbai=bombay", "bengaluru=bangalore", "chennai=madras", "kolkata=calcutta", "munich=münchen", "cologne=köln",
    "vienna=wien", "prague=praha", "zurich=zürich", "geneva=genève=geneve", "ho chi minh city=saigon",
    "mexico city=cdmx=ciudad de méxico", "rio de janeiro=rio", "kyiv=kiev", "istanbul=constantinople",
    "north carolina=nc", "south carolina=sc", "massachusetts=mass", "california=calif",
    # companies and institutions
    "google=alphabet", "amazon=amazon.com", "ibm=international business machines=big blue", "general electric=ge", "hewlett packard=hewlett-packard=hp",
    "jpmorgan chase=jpmorgan=jp morgan=j.p. morgan=jpm", "goldman sachs=goldman", "bank of america=bofa", "price waterhouse coopers=pwc=pricewaterhousecoopers",
    "ernst & young=ey=ernst and young", "procter & gamble=p&g=procter and gamble", "at&t=att", "johnson & johnson=j&j", "tata consultancy services=tcs",
    "massachusetts institute of technology=mit", "university of california berkeley=uc berkeley=berkeley=university of california, berkeley=cal berkeley",
    "university of california los angeles=ucla=uc los angeles", "university of southern california=usc", "new york university=nyu",
    "carnegie mellon university=carnegie mellon=cmu", "georgia institute of technology=georgia tech", "california institute of technology=caltech",
    "eth zurich=eth=eth zürich", "university of pennsylvania=upenn=penn", "university of washington=uw=u-dub", "university of michigan=umich",
    "university of texas=ut austin=university of texas at austin", "london school of economics=lse", "university college london=ucl",
    "university of british columbia=ubc", "national university of singapore=nus", "university of illinois urbana-champaign=uiuc",
    # fields and degrees
    "computer science=cs=comp sci=compsci", "machine learning=ml", "artificial intelligence=ai", "data science=ds", "electrical engineering=ee",
    "mechanical engineering=mech eng", "mathematics=math=maths", "economics=econ", "human computer interaction=hci=human-computer interaction",
    "business administration=biz admin", "political science=poli sci=polisci", "natural language processing=nlp", "information technology=it",
    "bachelor's degree=bachelor=bachelors=bachelor's=bachelors degree=bachelor degree=undergraduate degree=undergrad degree",
    "bachelor of science=bsc=b.sc.=bs=b.s.", "bachelor of arts=ba=b.a.", "master's degree=master=masters=master's=masters degree=master degree",
    "master of science=msc=m.sc.=ms=m.s.", "master of business administration=mba=m.b.a.", "phd=ph.d.=doctorate=ph.d=doctoral degree=doctor of philosophy",
    # titles
    "chief executive officer=ceo", "chief technology officer=cto", "chief financial officer=cfo", "chief operating officer=coo",
    "chief information security officer=ciso", "chief product officer=cpo", "vice president=vp", "site reliability engineer=sre",
    "software development engineer=sde", "quality assurance=qa", "product manager=pm", "user experience=ux", "user interface=ui",
    "human resources=hr", "public relations=pr", "research and development=r&d=r & d", "engineering manager=em", "machine learning engineer=ml engineer=mle",
    "senior=sr=sr.=snr", "junior=jr=jr.", "engineer=eng",
    # things
    "visual studio code=vs code=vscode", "microsoft windows=windows", "macos=mac os=os x=mac os x", "television=tv", "telephone=phone",
    "video games=videogames=video gaming=gaming", "soccer=association football", "bicycle=bike", "photography=photo taking", "automobile=car",
    "doctor=dr=dr.", "gluten-free=gluten free", "full-time=full time=fulltime", "part-time=part time=parttime", "work from home=wfh",
    # repositories
    "kubernetes=k8s", "authentication=auth=authn", "authorization=authz=authorisation", "configuration=config=cfg", "environment=env",
    "development=dev=dev environment=development environment=local development", "production=prod=prod environment=production environment=live environment",
    "staging=stage=staging environment=stg", "database=db", "repository=repo", "application=app", "documentation=docs", "administrator=admin",
    "continuous integration=ci=ci/cd=cicd=ci pipeline", "continuous delivery=cd=continuous deployment", "infrastructure=infra", "specification=spec",
    "parameter=param", "argument=arg", "directory=dir=folder", "message=msg", "package=pkg", "dependency=dep", "dependencies=deps",
    "maximum=max", "minimum=min", "average=avg", "number=no.=num", "identifier=id", "information=info", "interval=period",
    "javascript=js=ecmascript", "typescript=ts", "python=py", "golang=go", "c++=cpp=cplusplus", "c#=csharp=c sharp", "f#=fsharp", "objective-c=objc",
    "elasticsearch=elastic search", "google cloud=gcp=google cloud platform", "amazon web services=aws", "microsoft azure=azure",
    "transport layer security=tls", "single sign-on=sso=single sign on", "two-factor authentication=2fa=two factor authentication",
    "multi-factor authentication=mfa=multi factor authentication", "json web token=jwt=json web tokens=jwts", "role-based access control=rbac=role based access control",
    "api key=api keys", "pull request=pr=merge request=mr", "service level agreement=sla", "service level objective=slo", "time to live=ttl=time-to-live",
    "operating system=os", "command line interface=cli=command-line interface=command line", "content delivery network=cdn", "object relational mapper=orm",
    "infrastructure as code=iac", "graphical user interface=gui", "application programming interface=api", "software development kit=sdk",
    "personal access token=pat", "universally unique identifier=uuid", "not applicable=n/a",
    "apache license 2.0=apache-2.0=apache 2.0=apache license=apache 2=apache license version 2.0=apache2=apache license, version 2.0",
    "mit license=mit licence=the mit license", "gnu general public license=gpl", "gplv3=gpl-3.0=gnu gpl v3=gpl v3=gpl 3=gpl-3.0-only=gpl-3.0-or-later",
    "gplv2=gpl-2.0=gnu gpl v2=gpl v2", "agplv3=agpl-3.0=agpl=gnu agpl=gnu affero general public license", "lgplv3=lgpl-3.0=lgpl",
    "bsd 3-clause=bsd-3-clause=new bsd=3-clause bsd=bsd 3 clause", "bsd 2-clause=bsd-2-clause=simplified bsd=2-clause bsd",
    "mozilla public license=mpl=mpl-2.0=mpl 2.0", "bsl=business source license=busl=busl-1.1",
)  # fmt: skip
