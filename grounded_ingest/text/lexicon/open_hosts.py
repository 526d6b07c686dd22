"""Hosts where anyone can publish, so that a page there proves nothing."""

from __future__ import annotations

# The host itself and its `www.`. Hosts below it may have official documentation.
OPEN_HOSTS = frozenset({
    # pastes
    "0bin.net", "bpa.st", "controlc.com", "dpaste.com", "dpaste.org", "ghostbin.com", "hastebin.com", "ideone.com", "justpaste.it",
    "paste.debian.net", "paste.ee", "paste.mozilla.org", "paste.rs", "pastebin.com", "pastebin.ubuntu.com", "privatebin.net", "rentry.co",
    "rentry.org", "sprunge.us", "telegra.ph", "termbin.com",
    # forges and what they serve for their users
    "bitbucket.org", "cdn.jsdelivr.net", "cdn.statically.io", "codeberg.org", "gist.github.com", "gitea.com", "gitee.com", "github.com",
    "github.dev", "gitlab.com", "raw.githack.com", "rawcdn.githack.com", "sourceforge.net", "unpkg.com", "vscode.dev",
    # documents, notes, forms, files
    "1drv.ms", "airtable.com", "app.box.com", "coda.io", "docs.google.com", "drive.google.com", "dropbox.com", "forms.gle",
    "groups.google.com", "hackmd.io", "mega.nz", "miro.com", "notion.so", "onedrive.live.com", "overleaf.com", "quip.com", "scribd.com",
    "sites.google.com", "slideshare.net", "transfer.sh", "trello.com", "wetransfer.com",
    # blogs and talk
    "bsky.app", "dev.to", "discord.gg", "facebook.com", "instagram.com", "linkedin.com", "m.youtube.com", "mastodon.social", "medium.com",
    "news.ycombinator.com", "old.reddit.com", "pinterest.com", "redd.it", "reddit.com", "serverfault.com", "stackoverflow.com",
    "superuser.com", "t.me", "threads.net", "tiktok.com", "twitter.com", "vimeo.com", "write.as", "x.com", "youtu.be", "youtube.com",
    # sandboxes and models
    "codepen.io", "codesandbox.io", "gist.run", "huggingface.co", "jsbin.com", "jsfiddle.net", "kaggle.com", "observablehq.com",
    "replit.com", "stackblitz.com",
    # shared answers from language models
    "chat.openai.com", "chatgpt.com", "claude.ai", "g.co", "gemini.google.com", "grok.com", "perplexity.ai", "poe.com",
    # archives and servers that echo a request
    "archive.is", "archive.org", "archive.ph", "archive.today", "httpbin.org", "postman-echo.com", "requestbin.com", "web.archive.org",
    "webhook.site",
    # shorteners
    "bit.ly", "buff.ly", "cutt.ly", "dub.sh", "goo.gl", "is.gd", "lnkd.in", "ow.ly", "rb.gy", "rebrand.ly", "shorturl.at", "t.co", "t.ly",
    "tiny.cc", "tinyurl.com", "v.gd",
})  # fmt: skip

# The domain and every host below it.
OPEN_DOMAINS = frozenset({
    # pages of forges' users
    "bitbucket.io", "codeberg.page", "github.io", "githubusercontent.com", "gitlab.io", "sourceforge.io", "sr.ht",
    # documents and files
    "box.net", "dropboxusercontent.com", "evernote.com", "gitbook.io", "googleusercontent.com", "notion.site", "sharepoint.com",
    # blogs and talk
    "beehiiv.com", "blogspot.com", "ghost.io", "hashnode.dev", "livejournal.com", "medium.com", "quora.com", "stackexchange.com",
    "substack.com", "tumblr.com", "wordpress.com",
    # sites that anybody can create
    "appspot.com", "azurestaticapps.net", "azurewebsites.net", "carrd.co", "deno.dev", "firebaseapp.com", "fly.dev", "glitch.me",
    "herokuapp.com", "hf.space", "neocities.org", "netlify.app", "onrender.com", "pages.dev", "pythonanywhere.com", "readthedocs.io",
    "repl.co", "replit.app", "replit.dev", "streamlit.app", "surge.sh", "tiiny.site", "up.railway.app", "vercel.app", "web.app",
    "webflow.io", "weebly.com", "wixsite.com", "workers.dev",
    # sandboxes
    "claude.site", "csb.app", "val.run", "webcontainer.io",
    # storage and content networks by the bucket
    "amazonaws.com", "backblazeb2.com", "cloudfront.net", "core.windows.net", "digitaloceanspaces.com", "r2.dev", "storage.googleapis.com",
    # tunnels, translators, names that are addresses
    "loca.lt", "ngrok-free.app", "ngrok.app", "ngrok.io", "nip.io", "pipedream.net", "serveo.net", "sslip.io", "translate.goog",
    "trycloudflare.com",
})  # fmt: skip
