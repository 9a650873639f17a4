/*
 * host_known_table.c - hosts that others pretend to be. One row adds one host,
 * by the name under which it is registered.
 */
#include "lang/host_priv.h"

const char *const known_hosts[] = {
	"github.com", "gitlab.com", "bitbucket.org", "githubusercontent.com",
	"github.io", "sourceforge.net", "codeberg.org", "gitea.com",
	"npmjs.com", "npmjs.org", "pypi.org", "pythonhosted.org", "python.org",
	"rubygems.org", "crates.io", "rust-lang.org", "golang.org", "go.dev",
	"nodejs.org", "packagist.org", "nuget.org", "maven.org", "docker.com",
	"docker.io", "quay.io", "ghcr.io", "debian.org", "ubuntu.com",
	"archlinux.org", "fedoraproject.org", "redhat.com", "kernel.org", "gnu.org",
	"apache.org", "jquery.com", "jsdelivr.net", "unpkg.com", "cloudflare.com",
	"google.com", "googleapis.com", "gmail.com", "youtube.com", "gstatic.com",
	"microsoft.com", "live.com", "outlook.com", "office.com", "azure.com",
	"windows.net", "microsoftonline.com", "visualstudio.com", "apple.com",
	"icloud.com", "amazon.com", "amazonaws.com", "aws.amazon.com",
	"facebook.com", "instagram.com", "whatsapp.com", "linkedin.com",
	"twitter.com", "reddit.com", "wikipedia.org", "stackoverflow.com",
	"openai.com", "chatgpt.com", "anthropic.com", "claude.ai", "huggingface.co",
	"paypal.com", "stripe.com", "squareup.com", "wise.com", "visa.com",
	"mastercard.com", "coinbase.com", "binance.com", "kraken.com",
	"blockchain.com", "metamask.io", "chase.com", "citibank.com",
	"wellsfargo.com", "bankofamerica.com", "hsbc.com", "barclays.co.uk",
	"santander.com", "sparkasse.de", "commerzbank.de", "deutsche-bank.de",
	"slack.com", "discord.com", "telegram.org", "zoom.us", "notion.so",
	"atlassian.com", "atlassian.net", "trello.com", "dropbox.com",
	"salesforce.com", "shopify.com", "heroku.com", "vercel.com", "netlify.com",
	"digitalocean.com", "datadoghq.com", "sentry.io", "twilio.com",
	"sendgrid.com", "mailchimp.com", "okta.com", "auth0.com", "onepassword.com",
	"1password.com", "bitwarden.com", "lastpass.com", "hashicorp.com",
	"terraform.io", "kubernetes.io", "mozilla.org", "letsencrypt.org",
	"netflix.com", "ebay.com", "yahoo.com", "adobe.com", "oracle.com",
};
const size_t n_known_hosts = sizeof(known_hosts) / sizeof(known_hosts[0]);
