// Texts that look like secrets and hold none: what is public by its nature, names, numbers, code and placeholders.

import { createHash } from 'node:crypto';
import { alphanumeric, base64, type Dice, digits, hex, lower, upper, url64 } from './made-secrets.ts';

const base58 = alphanumeric.replace(/[0OIl]/g, '');
const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const prose = [
  'The meeting is moved to Thursday at half past nine, room 204.',
  'We agreed to keep the cache for ten days and to look again in March.',
  'Ada prefers short answers; the report for Q3 2026 goes to Grace.',
  'Water boils at 100 degrees, and the kettle in kitchen 2 takes 3 minutes.',
];

function block(dice: Dice, name: string, lines = 8, width = 64): string {
  const body = Array.from({ length: lines }, () => dice.text(base64, width));
  return [`-----BEGIN ${name}-----`, ...body, `${dice.text(base64, 30)}==`, `-----END ${name}-----`].join('\n');
}

const wire = (dice: Dice, type: string, length: number): string => {
  const head = Buffer.concat([Buffer.from([0, 0, 0, type.length]), Buffer.from(type), Buffer.from([0, 0, 0, 32])]);
  return head.toString('base64').replace(/=+$/, '') + dice.text(base64, length);
};

/** Makes one text of each kind. */
export const lookAlikes: Readonly<Record<string, (dice: Dice) => string>> = {
  // public keys and certificates
  'ssh ed25519 public key': (dice) => `ssh-ed25519 ${wire(dice, 'ssh-ed25519', 43)} ada@laptop`,
  'ssh rsa public key': (dice) => `ssh-rsa ${wire(dice, 'ssh-rsa', 340)}== ada@laptop`,
  'ssh ecdsa public key': (dice) => `ecdsa-sha2-nistp256 ${wire(dice, 'ecdsa-sha2-nistp256', 110)}= ada`,
  'known host': (dice) => `github.com ssh-ed25519 ${wire(dice, 'ssh-ed25519', 43)}`,
  'hashed known host': (dice) =>
    `|1|${dice.text(base64, 27)}=|${dice.text(base64, 27)}= ssh-ed25519 ${wire(dice, 'ssh-ed25519', 43)}`,
  'public key': (dice) => block(dice, 'PUBLIC KEY', 4),
  'rsa public key': (dice) => block(dice, 'RSA PUBLIC KEY', 5),
  certificate: (dice) => block(dice, 'CERTIFICATE', 14),
  'certificate in json': (dice) => JSON.stringify({ ca: block(dice, 'CERTIFICATE', 10) }),
  'certificate request': (dice) => block(dice, 'CERTIFICATE REQUEST', 9),
  'pgp public block': (dice) => block(dice, 'PGP PUBLIC KEY BLOCK', 12),
  'pgp signature': (dice) => block(dice, 'PGP SIGNATURE', 7),
  'pgp message': (dice) => block(dice, 'PGP MESSAGE', 7),
  'ssh signature': (dice) => block(dice, 'SSH SIGNATURE', 5, 70),
  'key fingerprint': (dice) => `256 SHA256:${dice.text(base64, 43)} ada@laptop (ED25519)`,
  'wireguard public key': (dice) => `[Peer]\nPublicKey = ${dice.key(43)}=\nAllowedIPs = 10.0.0.0/24`,
  'public key of a jwk': (dice) =>
    `{"kty":"EC","crv":"P-256","x":"${dice.key(43)}","y":"${dice.key(43)}","kid":"${dice.key(27)}"}`,
  'dkim record': (dice) => `mail._domainkey IN TXT "v=DKIM1; k=ed25519; p=${dice.key(43)}="`,
  'age recipient': (dice) => `age1${dice.text(bech32, 58)}`,
  'minisign public key': (dice) => `untrusted comment: minisign public key\nRWQ${dice.text(base64, 53)}`,
  'named public key': (dice) => `public_key: "${dice.key(43)}="`,
  // keys that are meant to be seen
  'stripe publishable key': (dice) => `Stripe('pk_${dice.one(['live', 'test'])}_51${dice.text(alphanumeric, 97)}')`,
  'stripe publishable key in env': (dice) =>
    `NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY=pk_live_${dice.text(alphanumeric, 24)}`,
  'clerk publishable key': (dice) => `publishableKey="pk_test_${dice.text(alphanumeric, 40)}"`,
  'sentry dsn': (dice) =>
    `SENTRY_DSN=https://${dice.text(hex, 32)}@o${dice.text('123456789', 6)}.ingest.us.sentry.io/450${dice.text(digits, 6)}`,
  'mapbox public token': (dice) =>
    `mapboxgl.accessToken = 'pk.eyJ1${dice.text(alphanumeric, 60)}.${dice.text(url64, 22)}';`,
  'posthog project key': (dice) =>
    `posthog.init('phc_${dice.text(alphanumeric, 43)}', { api_host: 'https://eu.posthog.com' })`,
  'supabase publishable key': (dice) => `sb_publishable_${dice.text(url64, 31)}`,
  'supabase anonymous key': (dice) =>
    `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from(`{"iss":"supabase","ref":"${dice.text(lower, 20)}","role":"anon","iat":17${dice.text(digits, 8)}}`).toString('base64url')}.${dice.text(url64, 43)}`,
  'recaptcha site key': (dice) => `<div class="g-recaptcha" data-sitekey="6L${dice.key(38)}"></div>`,
  'analytics id': (dice) =>
    `gtag('config', 'G-${dice.text(upper + digits, 10)}'); // GTM-${dice.text(upper + digits, 7)}`,
  'oauth client id': (dice) =>
    `client_id: ${dice.text('123456789', 12)}-${dice.text(lower + digits, 32)}.apps.googleusercontent.com`,
  'vapid public key': (dice) => `applicationServerKey: publicVapidKey = "B${dice.key(86)}"`,
  // nonces, hashes, signatures of files
  'csp nonce in a header': (dice) => `Content-Security-Policy: script-src 'self' 'nonce-${dice.key(30)}=='`,
  'csp nonce in html': (dice) => `<script nonce="${dice.key(30)}==">start()</script>`,
  'csp hash': (dice) => `script-src 'sha256-${dice.text(base64, 43)}='`,
  'integrity of a script': (dice) =>
    `<script src="/a.js" integrity="sha384-${dice.text(base64, 64)}" crossorigin></script>`,
  'npm lock file': (dice) => `"integrity": "sha512-${dice.text(base64, 86)}=="`,
  'yarn lock file': (dice) => `  integrity sha512-${dice.text(base64, 86)}==`,
  'yarn berry checksum': (dice) => `  checksum: 10c0/${dice.text(hex, 128)}`,
  'go.sum': (dice) => `golang.org/x/text v0.3.${dice.below(9)} h1:${dice.key(43)}=`,
  'go.sum of a module file': (dice) => `github.com/a/b v1.2.3/go.mod h1:${dice.key(43)}=`,
  'cargo lock file': (dice) => `checksum = "${dice.text(hex, 64)}"`,
  'poetry lock file': (dice) => `{file = "a-1.0.tar.gz", hash = "sha256:${dice.text(hex, 64)}"}`,
  'nix hash': (dice) => `hash = "sha256-${dice.text(base64, 43)}=";`,
  'nix store path': (dice) => `/nix/store/${dice.text('0123456789abcdfghijklmnpqrsvwxyz', 32)}-openssl-3.0.13`,
  'docker digest': (dice) => `node:20-slim@sha256:${dice.text(hex, 64)}`,
  'git commit': (dice) => `commit ${dice.text(hex, 40)}\nMerge: ${dice.text(hex, 7)} ${dice.text(hex, 7)}`,
  'git index line': (dice) => `index ${dice.text(hex, 10)}..${dice.text(hex, 10)} 100644`,
  'md5 sum': (dice) => `${dice.text(hex, 32)}  archive.tar.gz`,
  etag: (dice) => `ETag: W/"${dice.key(27)}="`,
  'content digest': (dice) => `Digest: sha-256=${dice.text(base64, 43)}=`,
  'content md5': (dice) => `Content-MD5: ${dice.text(base64, 22)}==`,
  'password hash named as hash': (dice) => `hash: $2b$12$${dice.text(alphanumeric, 53)}`,
  // ids
  uuid: (dice) =>
    `request ${dice.text(hex, 8)}-${dice.text(hex, 4)}-4${dice.text(hex, 3)}-a${dice.text(hex, 3)}-${dice.text(hex, 12)}`,
  'uuid of a session token field': (dice) =>
    `session_id=${dice.text(hex, 8)}-${dice.text(hex, 4)}-4${dice.text(hex, 3)}-a${dice.text(hex, 3)}-${dice.text(hex, 12)}`,
  ulid: (dice) => `01K${dice.text('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}`,
  'request id of a cloud': (dice) => `X-Amz-Cf-Id: ${dice.key(54)}==`,
  'trace context': (dice) => `traceparent: 00-${dice.text(hex, 32)}-${dice.text(hex, 16)}-01`,
  'message id': (dice) => `Message-ID: <CA${dice.key(48)}@mail.example.org>`,
  'document in a url': (dice) => `https://docs.google.com/document/d/1${dice.key(43)}/edit`,
  'video in a url': (dice) => `https://www.youtube.com/watch?v=${dice.text(url64, 11)}`,
  'tool call': (dice) => `toolu_01${dice.text(lower, 22)}`,
  'content id': (dice) => `ipfs://Qm${dice.text(base58, 44)}`,
  'content id alone': (dice) => `pinned Qm${dice.text(base58, 44)}`,
  arn: (dice) => `arn:aws:iam::${dice.text('123456789', 12)}:role/deploy-${dice.text(lower, 8)}`,
  'cursor of a page': (dice) => `{"next_cursor": "${dice.key(40)}==", "has_more": true}`,
  // addresses
  'bitcoin address': (dice) => `send it to ${dice.one(['1', '3'])}${dice.text(base58, 33)}`,
  'bitcoin address, bech32': (dice) => `bc1q${dice.text(bech32, 38)}`,
  'ethereum address': (dice) =>
    `0x${[...dice.text(hex, 40)].map((c) => (dice.below(2) ? c.toUpperCase() : c)).join('')}`,
  'ethereum transaction': (dice) => `tx 0x${dice.text(hex, 64)}`,
  'solana address': (dice) => `wallet address: ${dice.text(base58, 44)}`,
  'tor address': (dice) => `http://${dice.text('abcdefghijklmnopqrstuvwxyz234567', 56)}.onion/`,
  'mail address': (dice) => `${dice.text(lower, 8)}.${dice.text(lower, 6)}+list${dice.below(99)}@example.org`,
  'mac address': (dice) => Array.from({ length: 6 }, () => dice.text(hex, 2)).join(':'),
  'ipv6 address': (dice) => `2001:db8:${Array.from({ length: 6 }, () => dice.text(hex, 4)).join(':')}/64`,
  'street address': (dice) => `${dice.below(200)} Rua da Prata, ${dice.text(digits, 4)}-${dice.text(digits, 3)} Lisboa`,
  'phone number': (dice) => `+351 21${dice.text(digits, 1)} ${dice.text(digits, 3)} ${dice.text(digits, 3)}`,
  iban: (dice) => `PT50 ${Array.from({ length: 5 }, () => dice.text(digits, 4)).join(' ')} 1`,
  isbn: (dice) => `ISBN 978-0-${dice.text(digits, 3)}-${dice.text(digits, 5)}-${dice.below(10)}`,
  // base64 and code
  'image in a data uri': (dice) => `<img src="data:image/png;base64,${dice.text(base64, 180)}==">`,
  'font in css': (dice) => `src: url(data:font/woff2;base64,${dice.text(base64, 120)}=) format("woff2");`,
  'text in base64': (dice) => Buffer.from(dice.one(prose)).toString('base64'),
  'json in base64': (dice) =>
    Buffer.from(`{"page":${dice.below(99)},"sort":"Name","filter":["open","Closed"]}`).toString('base64'),
  'mail body in base64': (dice) => Array.from({ length: 5 }, () => dice.text(base64, 76)).join('\n'),
  'attachment in base64 lines': (dice) =>
    `Content-Transfer-Encoding: base64\n\n${Array.from({ length: 6 }, () => dice.text(base64, 64)).join('\r\n')}`,
  'source map': (dice) =>
    `"mappings": "${Array.from({ length: 12 }, () => dice.text('ACDEGIKMOQSU', 4)).join(',')};AAAA"`,
  'minified code': (dice) =>
    `!function(e,t){var ${dice.text(lower, 1)}=function(e){return t[e].exports};e.exports=n(${dice.below(99)})}([,function(e){}]);`,
  'hashed file names': (dice) =>
    `assets/index-${dice.text(url64.slice(0, 62), 8)}.js main.${dice.text(hex, 8)}.chunk.css`,
  'long identifier': (dice) => `shouldKeepTheSecretsOfPrivateFilesOnMachine${dice.below(9)}WhenReading`,
  'class names': (dice) =>
    `class="css-${dice.text(lower + digits, 7)} Button_primary__${dice.text(alphanumeric, 5)} mt-4"`,
  'css colours': (dice) => `--accent: #${dice.text(hex, 6)}; --shadow: #${dice.text(hex, 8)};`,
  version: (dice) => `vite@5.${dice.below(9)}.${dice.below(20)}-beta.${dice.below(9)}+build.${dice.text(hex, 7)}`,
  'regular expression': () => 'const token = /[A-Za-z0-9_-]{20,40}/g; password: /^(?=.*\\d).{8,}$/',
  'type of a program': (dice) =>
    dice.one(['password: string;', 'apiKey?: string | undefined;', 'token: Token2;', 'secret: Buffer;']),
  'call of a program': (dice) =>
    dice.one(['const password = await readPassword2();', 'token = getToken(user1.id)', 'apiKey: config.get("key1"),']),
  'column of a table': () => 'CREATE TABLE users (id int, password_hash varchar(255), token_2 text);',
  'git diff of names': () => '- password: hashedPassword\n+ password: hashPassword(user.password1)',
  // placeholders
  'your key': (dice) =>
    dice.one([
      'API_KEY=YOUR_API_KEY',
      'apiKey: "your-api-key-1"',
      'token=<your token 1>',
      'OPENAI_API_KEY=sk-...',
      'password: your_password_2',
    ]),
  crosses: (dice) =>
    dice.one([
      'AWS_SECRET_ACCESS_KEY=xxxxxxxxxxxxxxxxxxxx1',
      'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'password: ********',
      'token: "••••••••1"',
    ]),
  'variable of a shell': (dice) =>
    dice.one([
      'password: \u0024{DB_PASSWORD_1}',
      'curl -u ada:$PASS_1 https://a',
      'mysql -p$MYSQL_PWD1 shop',
      'sshpass -p "$PASS1" ssh a',
      'docker login -u a -p \u0024{TOKEN_1}',
    ]),
  'variable of a program': (dice) =>
    dice.one([
      'apiKey: process.env.API_KEY_1',
      "os.environ['TOKEN_1']",
      'secret = import.meta.env.VITE_SECRET_2',
      'password: {{ vault_password_1 }}',
      'token: \u0024{{ secrets.TOKEN_1 }}',
    ]),
  'asked for': (dice) =>
    dice.one([
      'mysql -u root -p shop',
      'mysql -p -e "select 1"',
      'docker login -u ada --password-stdin',
      'ssh -p 2222 ada@host1',
      'mkdir -p src/guard1',
      'cp -pR a1 b1',
      'docker run -p 8080:80 web1',
      'sshpass -e ssh a1',
    ]),
  'flags of other programs': (dice) =>
    dice.one([
      'nmap -p 1-65535 host1',
      'tool --token-limit 4096',
      'app --password-file /run/secrets/db1',
      'grep -w word123 a.txt',
      'rsync -a src1/ dst1',
      'ps -p 12345',
      'tar -xpf a1.tar',
      'npx -p typescript5 tsc',
    ]),
  'example of a json web token': () =>
    `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"1234567890","name":"John Doe","iat":1516239022}').toString('base64url')}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
  'seed phrase of examples': () => `${'abandon '.repeat(11)}about`,
  'words in order': () =>
    'abandon ability able about above absent absorb abstract absurd abuse access accident account',
  'words of a lesson': (dice) =>
    `Vocabulary: ${dice.one(['apple river mountain green window bottle spring garden yellow market doctor ticket kitchen', 'cat dog bird fish horse tiger lion snake eagle rabbit sheep monkey'])}`,
  // prose about secrets
  'rules for passwords': (dice) =>
    dice.one([
      'The password must have at least 8 characters and 1 digit.',
      'Change the password of router 2 every 90 days.',
      'The token is valid for 15 minutes.',
      'the secret is to use 2 eggs',
      'Password: at least 12 characters',
    ]),
  'talk of codes': (dice) =>
    dice.one([
      'Keep the recovery codes in the safe of room 204.',
      'The backup codes are printed; 3 of 10 are used.',
      'license: Apache-2.0',
      'License: BSD-3-Clause, MIT',
      'recovery key: see page 12',
      'The activation code came by post on 2026-03-02.',
    ]),
  'file and place': (dice) =>
    `src/store/guard${dice.below(9)}.ts:${dice.text('123456789', 4)}:12:error:TS${dice.text(digits, 4)}`,
  'time and ratio': (dice) => `10:${dice.text('012345', 1)}5:30:1200:4567 ratio 16:9, 192.168.0.1:5432`,
  'composed names': (dice) => `db-${dice.below(9)}.eu-west-1.rds.example.org:5432/shop`,
  'price list': (dice) =>
    `USD 1${dice.text(digits, 3)} EUR ${dice.text(digits, 4)} GBP ${dice.text(digits, 4)} JPY ${dice.text(digits, 4)}`,
  'card of a game': () => 'ASIA PACIFIC REGION SALES GREW 14 PERCENT; AIDA OPERA HOUSE TICKETS SOLD',
  'sum of a text': (dice) => `sha1 ${createHash('sha1').update(dice.text(lower, 9)).digest('base64')} of the file`,
};
