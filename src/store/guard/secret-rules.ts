// The forms that secrets have: one line for each kind whose issuer gave its keys a mark, after the issuers' documentation.
// secret-forms.ts searches a text for them.

/** A secret in a text, by UTF-16 offsets. */
export interface FoundSecret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

export interface SecretRule {
  /** Names the kind in redactions and reports. */
  readonly kind: string;
  /** Texts that every secret of the kind has; searched first, so that the pattern is tried in few places. */
  readonly marks: readonly string[];
  /**
   * The whole secret from the mark on; sticky. Every repeat is bounded or of characters that cannot hold the mark, so that the
   * time is linear whatever the text.
   */
  readonly pattern: RegExp;
  /** The mark may be in the middle of a word. Default false: before it there is no letter or digit. */
  readonly isInner?: boolean;
}

const rule = (kind: string, marks: string, pattern: RegExp, isInner = false): SecretRule => ({
  kind,
  marks: marks.split(' '),
  pattern: new RegExp(pattern.source, `${pattern.flags}y`),
  isInner,
});

/** Lists the rules, the more telling kind first: where two fit, the first names the secret. */
export const secretRules: readonly SecretRule[] = [
  // code and packages
  rule('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[pousr]_[A-Za-z0-9_]{36,255}/, true),
  rule('github-token', 'github_pat_', /github_pat_[A-Za-z0-9_]{36,255}/, true),
  rule(
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glft- glsoat- glcbt- glptt- glimt- glagent- gloas- glffct- glwt-',
    /gl(?:pat|dt|rtr?|ft|soat|cbt|ptt|imt|agent|oas|ffct|wt)-[\w.-]{20,255}/,
  ),
  rule('gitlab-token', 'GR1348941', /GR1348941[\w-]{20,50}/),
  rule('bitbucket-token', 'ATBB ATCTT3', /AT(?:BB|CTT3)[A-Za-z0-9_=-]{24,300}/),
  rule('atlassian-token', 'ATATT3', /ATATT3[A-Za-z0-9_=-]{50,400}/),
  rule('npm-token', 'npm_', /npm_[A-Za-z0-9_]{36,64}/),
  rule('pypi-token', 'pypi-', /pypi-[\w-]{50,1000}/),
  rule('rubygems-token', 'rubygems_', /rubygems_[0-9a-f]{48}/),
  rule('crates-token', 'cio', /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/),
  rule('nuget-token', 'oy2', /oy2[a-z0-9]{43}(?![A-Za-z0-9])/),
  rule('clojars-token', 'CLOJARS_', /CLOJARS_[A-Za-z0-9]{60}/),
  rule('docker-token', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[\w-]{20,100}/),
  rule('jfrog-token', 'AKCp', /AKCp[A-Za-z0-9]{69}/),
  rule('sonar-token', 'sqp_ sqa_ squ_', /sq[pau]_[0-9a-f]{40}/),
  rule('postman-token', 'PMAK-', /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/i),
  rule('figma-token', 'figd_ figo_ figu_', /fig[dou]_[\w-]{30,80}/),
  // clouds and hosting
  rule(
    'aws-access-key',
    'AKIA ASIA ABIA ACCA A3T AGPA AIDA AROA AIPA ANPA ANVA',
    /A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9]|GPA|IDA|ROA|IPA|NPA|NVA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  ),
  rule('aws-bedrock-key', 'ABSK', /ABSK[A-Za-z0-9+/]{60,300}={0,2}/),
  rule('google-api-key', 'AIza', /AIza[\w-]{35}(?![\w-])/),
  rule('google-oauth-secret', 'GOCSPX-', /GOCSPX-[\w-]{20,40}/),
  rule('google-oauth-token', 'ya29.', /ya29\.[\w-]{20,500}/),
  rule('firebase-key', 'AAAA', /AAAA[\w-]{7}:[\w-]{120,200}/),
  rule('azure-client-secret', 'Q~', /Q~[\w~.-]{31,34}(?![\w~.-])/, true),
  rule('alibaba-key', 'LTAI', /LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])/),
  rule('tencent-key', 'AKID', /AKID[A-Za-z0-9]{30,40}(?![A-Za-z0-9])/),
  rule('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[0-9a-f]{64}/),
  rule('heroku-key', 'HRKU-', /HRKU-[\w-]{36,80}/),
  rule('netlify-token', 'nfp_ nfo_ nfc_ nfu_ nfb_', /nf[pocub]_[A-Za-z0-9]{36,60}/),
  rule('vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', /vc[piark]_[A-Za-z0-9]{24,80}/),
  rule('fly-token', 'fm1_ fm2_ fo1_', /f(?:m[12]|o1)_[\w+/=-]{40,1000}/),
  rule('cloudflare-origin-key', 'v1.0-', /v1\.0-[0-9a-f]{24}-[0-9a-f]{146}/),
  rule('supabase-key', 'sbp_ sb_secret_', /sb(?:p_[0-9a-f]{40}|_secret_[\w-]{20,60})/),
  rule('planetscale-token', 'pscale_', /pscale_(?:tkn|pw|oauth|otkn|app_secret)_[\w.=-]{32,64}/),
  rule('databricks-token', 'dapi', /dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/),
  rule('hashicorp-token', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{20,300}/),
  rule('terraform-token', '.atlasv1.', /\.atlasv1\.[\w-]{60,70}/, true),
  rule('pulumi-token', 'pul-', /pul-[0-9a-f]{40}/),
  rule('doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', /dp\.[a-z]{2,5}\.[\w.-]{40,80}/),
  rule('onepassword-token', 'ops_eyJ', /ops_eyJ[A-Za-z0-9+/=_-]{100,2000}/),
  rule(
    'onepassword-secret-key',
    'A3-',
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/,
  ),
  rule('dynatrace-token', 'dt0c01. dt0s', /dt0[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}/),
  rule('grafana-token', 'glsa_ glc_', /gl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_[A-Za-z0-9+/=]{32,500})/),
  rule('new-relic-key', 'NRAK- NRJS- NRAL- NRII-', /NR(?:AK|JS|AL|II)-[A-Za-z0-9_-]{19,64}/),
  rule('sentry-token', 'sntrys_ sntryu_', /sntry[su]_[A-Za-z0-9+/=_]{40,500}/),
  // models
  rule('anthropic-key', 'sk-ant-', /sk-ant-[\w-]{24,300}/, true),
  rule('openrouter-key', 'sk-or-', /sk-or-[\w-]{32,100}/, true),
  rule('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', /sk-(?:proj|svcacct|admin|None)-[\w-]{24,300}/, true),
  rule('openai-key', 'T3BlbkFJ', /T3BlbkFJ[\w-]{20,150}/, true),
  rule('huggingface-token', 'hf_ api_org_', /(?:hf|api_org)_[A-Za-z0-9]{30,60}/),
  rule('replicate-token', 'r8_', /r8_[A-Za-z0-9]{37,40}/),
  rule('groq-key', 'gsk_', /gsk_[A-Za-z0-9]{40,80}/),
  rule('xai-key', 'xai-', /xai-[A-Za-z0-9]{60,100}/),
  rule('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{40,80}/),
  rule('langsmith-key', 'lsv2_', /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/),
  // messages and mail
  rule(
    'slack-token',
    'xoxb- xoxp- xoxa- xoxr- xoxo- xoxs- xoxe- xoxc- xoxd-',
    /xox[a-eoprs]-[A-Za-z0-9%-]{10,300}/,
    true,
  ),
  rule('slack-token', 'xoxe.xox', /xoxe\.xox[bp]-[A-Za-z0-9-]{20,300}/, true),
  rule('slack-token', 'xapp-', /xapp-\d-[A-Za-z0-9-]{20,200}/, true),
  rule(
    'slack-webhook',
    'hooks.slack.com/',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/_-]{20,120}/,
    true,
  ),
  rule('discord-webhook', '/api/webhooks/', /\/api\/webhooks\/\d{17,20}\/[\w-]{60,80}/, true),
  rule('teams-webhook', '.webhook.office.com/', /\.webhook\.office\.com\/webhookb2\/[A-Za-z0-9@/-]{60,250}/, true),
  rule('telegram-token', ':AA', /:AA[\w-]{32,34}(?![\w-])/, true),
  rule('sendgrid-key', 'SG.', /SG\.[\w-]{16,64}\.[\w-]{16,128}/),
  rule('mailgun-key', 'key-', /key-[0-9a-f]{32}(?![0-9a-z])/),
  rule('brevo-key', 'xkeysib- xsmtpsib-', /x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}/),
  rule('twilio-key', 'SK', /SK[0-9a-f]{32}(?![0-9a-z])/),
  rule('resend-key', 're_', /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])/),
  rule('facebook-token', 'EAA', /EAA[A-Za-z0-9]{60,500}/),
  rule('twitter-token', 'AAAAAAAAAAAAAAAAAAAAA', /A{21}[A-Za-z0-9%]{40,120}/),
  // payments and shops
  rule(
    'stripe-key',
    'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_',
    /[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}/,
    true,
  ),
  rule('webhook-secret', 'whsec_', /whsec_[A-Za-z0-9+/=]{24,128}/),
  rule('square-token', 'sq0atp- sq0csp- sq0idp-', /sq0(?:atp|csp|idp)-[\w-]{22,64}/),
  rule('square-token', 'EAAA', /EAAA[\w-]{60}(?![\w-])/),
  rule('shopify-token', 'shpat_ shpca_ shppa_ shpss_ shpua_', /shp(?:at|ca|pa|ss|ua)_[A-Za-z0-9]{32,64}/, true),
  rule('razorpay-key', 'rzp_live_ rzp_test_', /rzp_(?:live|test)_[A-Za-z0-9]{14,30}/),
  rule('shippo-token', 'shippo_live_ shippo_test_', /shippo_(?:live|test)_[0-9a-f]{40}/),
  rule('easypost-key', 'EZAK EZTK', /EZ[AT]K[A-Za-z0-9]{54}/),
  rule('flutterwave-key', 'FLWSECK', /FLWSECK(?:_TEST)?-[A-Za-z0-9-]{12,80}/),
  rule('paypal-token', 'access_token$', /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/),
  rule(
    'plaid-token',
    'access-production- access-sandbox- access-development-',
    /access-(?:production|sandbox|development)-[0-9a-f-]{36}/,
  ),
  // work
  rule('notion-token', 'ntn_ secret_', /(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9]))/),
  rule('linear-key', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[A-Za-z0-9_]{32,128}/),
  rule('airtable-token', 'pat', /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/),
  rule('hubspot-token', 'pat-na1- pat-eu1- pat-na2-', /pat-(?:na|eu)\d-[0-9a-f-]{36}/),
  rule('mapbox-token', 'sk.eyJ', /sk\.eyJ[\w-]{40,200}\.[\w-]{16,64}/),
  // keys and tokens of no one issuer
  rule('age-key', 'AGE-SECRET-KEY-', /AGE-SECRET-KEY-1[A-Z0-9]{58}/i),
  rule('wallet-key', 'xprv yprv zprv tprv', /[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}/),
  rule('jwt', 'eyJ', /eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{10,2000}(?:\.[\w-]{10,8000}){0,2}/),
];
