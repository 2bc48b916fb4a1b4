// Makes secrets as services and people make them, and texts that hold them. None is real, and none stands in a file: what
// looks like a key in a repository keeps scanners busy for ever.

import { createHash } from 'node:crypto';
import { seedWords } from '../../../src/store/guard/seed-phrase.ts';

export const lower = 'abcdefghijklmnopqrstuvwxyz';
export const upper = lower.toUpperCase();
export const digits = '0123456789';
export const hex = `${digits}abcdef`;
export const alphanumeric = upper + lower + digits;
export const base64 = `${alphanumeric}+/`;
export const url64 = `${alphanumeric}-_`;
const words = ['river', 'Blue', 'cactus', 'Winter', 'hunter', 'tiger', 'Sesame', 'monkey', 'Paris', 'coffee'];

export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0 || 1;
  }

  /** A whole number below `limit` (xorshift32). */
  below(limit: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % limit;
  }

  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }

  /** Random, with at least one digit and one letter of each case among the first characters. */
  key(length: number): string {
    return `${this.text(upper, 1)}${this.text(digits, 1)}${this.text(lower, 1)}${this.text(alphanumeric, length - 3)}`;
  }
}

/** A text with a secret in it, and the secret. */
export interface MadeSecret {
  readonly text: string;
  readonly secret: string;
}

export type Maker = (dice: Dice) => string | MadeSecret;

function pem(dice: Dice, name: string, newline = '\n'): string {
  const lines = Array.from({ length: 12 }, () => dice.text(base64, 64));
  return [
    `-----BEGIN ${name}PRIVATE KEY-----`,
    ...lines,
    `${dice.text(base64, 30)}==`,
    `-----END ${name}PRIVATE KEY-----`,
  ].join(newline);
}

const password = (dice: Dice): string =>
  dice.one([
    `${dice.one(words)}${dice.below(9000) + 100}`,
    `${dice.one(words)}-${dice.one(words)}-${dice.below(90) + 10}!`,
    dice.key(12),
    `${dice.one(words)}${dice.one(['!', '#', '?', '$'])}${dice.below(90) + 10}`,
  ]);

const within = (secret: string, ...around: readonly [string, string]): MadeSecret => ({
  text: around[0] + secret + around[1],
  secret,
});

const base58 = alphanumeric.replace(/[0OIl]/g, '');

/** Cuts a key into groups, as people read it out and as a document wraps it. */
const inGroups = (key: string, size: number, gap = ' '): string =>
  key.match(new RegExp(`.{1,${size}}`, 'g'))!.join(gap);

/** Random, with a digit and a letter in each group. */
const groups = (dice: Dice, alphabet: string, count: number, size: number, gap: string): string =>
  Array.from(
    { length: count },
    () =>
      `${dice.text(alphabet, size - 2)}${dice.text('23456789', 1)}${dice.one([...alphabet].filter((c) => /[a-z]/i.test(c)))}`,
  ).join(gap);

/** Secrets that have a form of their own. They are found wherever they stand. */
export const formedSecrets: Readonly<Record<string, Maker>> = {
  'aws access key': (dice) => `${dice.one(['AKIA', 'ASIA'])}${dice.text(`${upper}234567`, 16)}`,
  'github token': (dice) => `gh${dice.one([...'pousr'])}_${dice.text(alphanumeric, 36)}`,
  'github fine-grained token': (dice) => `github_pat_${dice.text(alphanumeric, 22)}_${dice.text(alphanumeric, 59)}`,
  'gitlab token': (dice) => `glpat-${dice.text(url64, 20)}`,
  'npm token': (dice) => `npm_${dice.text(alphanumeric, 36)}`,
  'pypi token': (dice) => `pypi-AgEIcHlwaS5vcmc${dice.text(url64, 150)}`,
  'rubygems key': (dice) => `rubygems_${dice.text(hex, 48)}`,
  'docker token': (dice) => `dckr_pat_${dice.text(url64, 27)}`,
  'slack bot token': (dice) => `xoxb-${dice.text(digits, 12)}-${dice.text(digits, 12)}-${dice.text(alphanumeric, 24)}`,
  'slack webhook': (dice) =>
    `https://hooks.slack.com/services/T${dice.text(upper + digits, 8)}/B${dice.text(upper + digits, 10)}/${dice.text(alphanumeric, 24)}`,
  'discord webhook': (dice) =>
    `https://discord.com/api/webhooks/${dice.text(digits.slice(1), 18)}/${dice.text(url64, 68)}`,
  'telegram token': (dice) => `${dice.text(digits.slice(1), 10)}:AA${dice.text(url64, 32)}a`,
  'stripe key': (dice) => `${dice.one(['sk', 'rk'])}_live_${dice.text(alphanumeric, 24)}`,
  'webhook secret': (dice) => `whsec_${dice.text(alphanumeric, 32)}`,
  'openai key': (dice) => `sk-proj-${dice.text(url64, 74)}T3BlbkFJ${dice.text(url64, 73)}a`,
  'openai key, old': (dice) => `sk-${dice.text(alphanumeric, 20)}T3BlbkFJ${dice.text(alphanumeric, 20)}`,
  'anthropic key': (dice) => `sk-ant-api03-${dice.text(url64, 93)}AA`,
  'huggingface token': (dice) => `hf_${dice.text(alphanumeric, 34)}`,
  'groq key': (dice) => `gsk_${dice.text(alphanumeric, 52)}`,
  'google api key': (dice) => `AIza${dice.text(url64, 34)}a`,
  'google client secret': (dice) => `GOCSPX-${dice.text(url64, 28)}`,
  'google access token': (dice) => `ya29.${dice.text(url64, 120)}`,
  'azure client secret': (dice) => `${dice.key(3)}8Q~${dice.text(alphanumeric, 34)}`,
  'sendgrid key': (dice) => `SG.${dice.text(url64, 22)}.${dice.text(url64, 43)}`,
  'mailgun key': (dice) => `key-${dice.text(hex, 32)}`,
  'twilio key': (dice) => `SK${dice.text(hex, 32)}`,
  'shopify token': (dice) => `shpat_${dice.text(hex, 32)}`,
  'square token': (dice) => `sq0atp-${dice.text(url64, 22)}`,
  'digitalocean token': (dice) => `dop_v1_${dice.text(hex, 64)}`,
  'databricks token': (dice) => `dapi${dice.text(hex, 32)}`,
  'vault token': (dice) => `hvs.${dice.text(url64, 95)}`,
  'terraform token': (dice) => `${dice.text(alphanumeric, 14)}.atlasv1.${dice.text(url64, 67)}`,
  'pulumi token': (dice) => `pul-${dice.text(hex, 40)}`,
  'grafana token': (dice) => `glsa_${dice.text(alphanumeric, 32)}_${dice.text(hex, 8)}`,
  'new relic key': (dice) => `NRAK-${dice.text(upper + digits, 27)}`,
  'postman key': (dice) => `PMAK-${dice.text(hex, 24)}-${dice.text(hex, 34)}`,
  'notion token': (dice) => `ntn_${dice.text(alphanumeric, 46)}`,
  'linear key': (dice) => `lin_api_${dice.text(alphanumeric, 40)}`,
  'airtable token': (dice) => `pat${dice.text(alphanumeric, 14)}.${dice.text(hex, 64)}`,
  'figma token': (dice) => `figd_${dice.text(url64, 40)}`,
  'doppler token': (dice) => `dp.pt.${dice.text(alphanumeric, 43)}`,
  'supabase key': (dice) => `sbp_${dice.text(hex, 40)}`,
  'planetscale password': (dice) => `pscale_pw_${dice.text(url64, 43)}`,
  'atlassian token': (dice) => `ATATT3xFfGF0${dice.text(url64, 170)}=${dice.text(hex, 8).toUpperCase()}`,
  'age key': (dice) => `AGE-SECRET-KEY-1${dice.text('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  'json web token': (dice) =>
    `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${dice.text(alphanumeric, 60)}.${dice.text(url64, 43)}`,
  'rsa private key': (dice) => pem(dice, 'RSA '),
  'openssh private key': (dice) => pem(dice, 'OPENSSH '),
  'private key in json': (dice) => pem(dice, '', '\\n'),
  'private key without an end': (dice) => pem(dice, 'EC ').split('\n').slice(0, 9).join('\n'),
  'bitcoin private key': (dice) => `${dice.one(['5', 'K', 'L'])}${dice.text(base58, 51)}`,
  'extended private key': (dice) => `${dice.one(['x', 'y', 'z'])}prv9${dice.text(base58, 107)}`,
  'product key': (dice) => groups(dice, upper.replace(/[AEIOU]/g, ''), 5, 5, '-'),
  'bitlocker key': (dice) => inGroups(dice.text(digits, 48), 6, '-'),
  'apple recovery key': (dice) => groups(dice, upper + digits, 7, 4, '-'),
  'seed phrase of 12': (dice) => seedPhrase(dice, 12),
  'seed phrase of 24': (dice) => seedPhrase(dice, 24),
  'seed phrase of 15, 18 or 21': (dice) => seedPhrase(dice, dice.one([15, 18, 21])),
  'seed phrase in lines': (dice) => seedPhrase(dice, dice.one([12, 24])).replaceAll(' ', '\n'),
  'seed phrase with numbers': (dice) =>
    seedPhrase(dice, dice.one([12, 24]))
      .split(' ')
      .map((word, at) => `${at + 1}. ${word}`)
      .join(dice.one(['\n', ' '])),
  'seed phrase with commas': (dice) => seedPhrase(dice, 12).replaceAll(' ', ', '),
  'aws key in groups': (dice) => inGroups(`AKIA${dice.text(`${upper}234567`, 14)}7Q`, 4),
  'github token with spaces': (dice) => inGroups(`ghp_${dice.text(alphanumeric, 36)}`, 8),
  'github token over two lines': (dice) => {
    const key = `ghp_${dice.key(18)}${dice.key(18)}`;
    return `${key.slice(0, 22)}${dice.one(['\n', '\n  ', '\n> ', ' '])}${key.slice(22)}`;
  },
  'stripe key with spaces': (dice) => inGroups(`sk_live_${dice.text(alphanumeric, 24)}`, 8),
  'anthropic key over lines': (dice) =>
    inGroups(`sk-ant-api03-${dice.key(47)}${dice.key(46)}AA`, 60, dice.one(['\n', '\n    '])),
  'google api key, broken': (dice) => inGroups(`AIza${dice.key(17)}${dice.key(17)}a`, 20, '\n'),
  'slack token, broken': (dice) =>
    inGroups(`xoxb-${dice.text(digits, 12)}-${dice.text(digits, 12)}-${dice.key(24)}`, 32, dice.one(['\n', ' '])),
  'pulumi token in groups': (dice) => inGroups(`pul-${dice.text(hex, 40)}`, 4),
  'json web token, wrapped': (dice) =>
    inGroups(`eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${dice.key(60)}.${dice.key(43)}`, 72, '\n'),
  'random word': (dice) => `${dice.key(20)}${dice.key(20)}`,
};

/** Secrets that are known by what stands around them. */
export const namedSecrets: Readonly<Record<string, Maker>> = {
  'database url': (dice) =>
    within(
      password(dice).replace(/[#?]/g, '!'),
      `${dice.one(['postgres', 'postgresql', 'mysql', 'mongodb+srv', 'redis', 'amqp'])}://${dice.one(['app', 'svc_user', 'ada'])}:`,
      `@db${dice.below(9)}.internal:5432/shop?sslmode=require`,
    ),
  'url with basic auth': (dice) =>
    within(password(dice).replace(/[#?]/g, '!'), 'https://deploy:', '@git.example.org/team/app.git'),
  'connection string': (dice) =>
    within(password(dice), 'Server=tcp:db.example.org,1433;Database=shop;User Id=ada;Password=', ';Encrypt=true;'),
  'azure storage key': (dice) =>
    within(
      `${dice.text(base64, 86)}==`,
      'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=',
      ';EndpointSuffix=core.windows.net',
    ),
  'aws secret key': (dice) => within(dice.key(40), 'aws_secret_access_key = ', '\n'),
  'env password': (dice) =>
    within(password(dice), `${dice.one(['DB_PASSWORD', 'SMTP_PASS' + 'WORD', 'REDIS_PASSWORD'])}=`, '\nPORT=8080'),
  'env secret': (dice) =>
    within(
      dice.key(32),
      `export ${dice.one(['SESSION_SECRET', 'APP_SECRET', 'STRIPE_SECRET_KEY', 'API_TOKEN'])}="`,
      '"\n',
    ),
  'json api key': (dice) =>
    within(
      dice.key(24),
      `{"${dice.one(['apiKey', 'api_key', 'access_token', 'client_secret'])}": "`,
      '", "retries": 3}',
    ),
  'escaped json': (dice) => within(dice.key(24), '"{\\"client_secret\\":\\"', '\\",\\"id\\":7}"'),
  'yaml password': (dice) =>
    within(password(dice), `database:\n  user: ada\n  ${dice.one(['password', 'passwd'])}: `, '\n  port: 5432'),
  'code constant': (dice) =>
    within(dice.key(28), `const ${dice.one(['apiToken', 'authToken', 'secretKey', 'accessKey'])} = '`, "';"),
  'bearer header': (dice) => within(dice.key(36), 'curl -H "Authorization: Bearer ', '" https://api.example.org/v1/me'),
  'basic header': (dice) =>
    within(Buffer.from(`ada:${password(dice)}x1`).toString('base64'), 'Authorization: Basic ', '\n'),
  'curl user': (dice) => within(password(dice), 'curl -u ada:', ' https://example.org/private'),
  netrc: (dice) => within(password(dice), 'machine api.example.org login ada password ', '\n'),
  npmrc: (dice) => within(dice.key(36), '//registry.example.org/:_authToken=', '\n'),
  'hex key': (dice) => within(`a1${dice.text(hex, 62)}`, 'ENCRYPTION_KEY=', '\n'),
  'datadog key': (dice) => within(`a1${dice.text(hex, 30)}`, 'DD_API_KEY: ', '\n'),
  'told password': (dice) =>
    within(
      `${dice.one(words)}${dice.below(9000) + 100}`,
      dice.one([
        'the password is ',
        'my password for the router is ',
        'Password: ',
        'the wifi password is now ',
        'passphrase = ',
      ]),
      dice.one(['.', '', ' ok?']),
    ),
  'mysql -p': (dice) =>
    within(
      password(dice),
      `${dice.one(['mysql -u root -p', 'mysqldump --single-transaction -h db1 -uapp -p', 'mariadb -h 10.0.0.7 -u ada -p', "mysql -u root -p'"])}`,
      dice.one([' shop', ' shop < dump.sql', "' -e 'show tables'"]),
    ),
  'sshpass -p': (dice) =>
    within(password(dice), dice.one(['sshpass -p ', 'sshpass -p', 'sshpass -v -p ']), ' ssh ada@10.0.0.7 uptime'),
  'redis-cli -a': (dice) => within(password(dice), 'redis-cli -h cache.internal -a ', ' ping'),
  'docker login': (dice) =>
    within(
      password(dice),
      `${dice.one(['docker', 'podman', 'helm registry'])} login -u ada -p `,
      ' registry.example.org',
    ),
  'mongo shell': (dice) => within(password(dice), `${dice.one(['mongosh', 'mongodump'])} -u ada -p `, ' --host db1'),
  'ldap bind': (dice) => within(password(dice), 'ldapsearch -x -D cn=admin,dc=example,dc=org -w ', ' uid=ada'),
  'archive password': (dice) => within(password(dice), dice.one(['7z x -p', 'unrar x -p', 'zip -P ']), ' backup.zip'),
  sqlcmd: (dice) => within(password(dice), 'sqlcmd -S db1 -U sa -P ', ' -Q "select 1"'),
  'openssl passphrase': (dice) =>
    within(password(dice), `openssl enc -d -aes-256-cbc ${dice.one(['-pass', '-passin'])} pass:`, ' -in a.enc'),
  smbclient: (dice) => within(password(dice), 'smbclient //nas/share -U ada%', ' -c ls'),
  'sudo from standard input': (dice) =>
    within(password(dice), `echo ${dice.one(['', "'", '"'])}`, `${dice.one(['', "'", '"'])} | sudo -S apt update`),
  'password flag': (dice) =>
    within(
      password(dice),
      `${dice.one(['vault login', 'tool sync', 'wget'])} --${dice.one(['password', 'passwd', 'pass'])} `,
      ' --verbose',
    ),
  'token flag': (dice) =>
    within(dice.key(32), `deploy --${dice.one(['token', 'api-key', 'auth-token', 'secret'])} `, ' --env live'),
  keytool: (dice) => within(password(dice), 'keytool -list -keystore a.jks -storepass ', ' -v'),
  pgpass: (dice) =>
    within(
      password(dice).replace(/[:#]/g, '!'),
      `${dice.one(['db1.internal', 'localhost', '*', '10.0.0.7'])}:${dice.one(['5432', '6543', '*'])}:${dice.one(['shop', '*', 'shop_live'])}:${dice.one(['ada', 'app_rw'])}:`,
      '\n',
    ),
  'password before a command': (dice) => within(password(dice), 'PGPASSWORD=', ' psql -h db1 -U ada shop'),
  'xml element': (dice) => within(password(dice), '<server><username>ada</username><password>', '</password></server>'),
  'xml attribute': (dice) => within(dice.key(32), '<add key="ApiKey" value="', '" />'),
  'php define': (dice) => within(password(dice), "define('DB_PASSWORD', '", "');"),
  'java properties': (dice) =>
    within(password(dice), 'spring.datasource.password=', '\nspring.datasource.username=ada'),
  'ruby hash': (dice) => within(password(dice), ':password => "', '", :port => 1'),
  'jdbc url': (dice) =>
    within(password(dice).replace(/[#?]/g, '!'), 'jdbc:postgresql://db1/shop?user=ada&password=', '&ssl=true'),
  'query of a url': (dice) =>
    within(
      dice.key(32),
      `https://api.example.org/v1/me?${dice.one(['access_token', 'api_key', 'token'])}=`,
      '&limit=5',
    ),
  'shared access signature': (dice) =>
    within(`${dice.key(42)}%3D`, 'https://a.blob.core.windows.net/b?sv=2024-11-04&se=2026&sr=b&sp=r&sig=', '\n'),
  'key header': (dice) => within(dice.key(32), "-H 'X-Api-Key: ", "' https://api.example.org"),
  'session cookie': (dice) => within(dice.key(32), 'Cookie: theme=dark; session=', '; lang=de'),
  'wifi code': (dice) => within(password(dice), 'WIFI:T:WPA;S:Studio;P:', ';;'),
  'one-time secret': (dice) =>
    within(`${dice.text(`${upper}234567`, 14)}7Q`, 'otpauth://totp/Example:ada?secret=', '&issuer=Example'),
  'one-time secret in groups': (dice) =>
    within(
      inGroups(`${dice.text(`${upper}234567`, 14)}7Q`, 4),
      dice.one(['setup key: ', 'Secret key: ', 'TOTP secret: ']),
      '\n',
    ),
  'app password': (dice) =>
    within(inGroups(dice.text(lower, 16), 4), dice.one(['app password: ', 'my Google app password is ']), '\n'),
  'named key in groups': (dice) =>
    within(groups(dice, alphanumeric, 6, 5, ' '), dice.one(['secret key: ', 'api key is ', 'API_TOKEN: ']), '\n'),
  'recovery codes': (dice) => {
    const codes = Array.from({ length: 6 }, () =>
      dice.one([`${dice.text(hex, 4)}7-${dice.text(hex, 4)}a`, `${dice.text(hex, 4)}3-a${dice.text(hex, 4)}`]),
    );
    return within(
      codes.join(dice.one(['\n', ' ', ', ', '\n- '])),
      dice.one(['recovery codes:\n', 'My backup codes: ', 'Save these recovery codes\n\n']),
      '\n',
    );
  },
  'recovery codes of digits': (dice) =>
    within(
      Array.from(
        { length: 8 },
        () => `${dice.text('123456789', 1)}${dice.text(digits, 3)} ${dice.text(digits, 4)}`,
      ).join(dice.one(['\n', ', '])),
      dice.one(['backup codes for Google:\n', 'here are the recovery codes: ']),
      '\n',
    ),
  'recovery key': (dice) =>
    within(groups(dice, upper, 8, 4, dice.one(['-', ' '])), dice.one(['recovery key: ', 'Your backup key is ']), '\n'),
  'licence key': (dice) =>
    within(
      groups(dice, upper, 4, 4, '-'),
      dice.one(['licence key: ', 'License: ', 'serial number ', 'activation code: ']),
      '\n',
    ),
  'seed phrase of another kind': (dice) => {
    const phrase = seedPhrase(dice, 12).split(' ');
    return within(
      [...phrase.slice(1), phrase[0]].join(' '),
      dice.one(['seed phrase: ', 'my wallet words are ', 'mnemonic = ']),
      '\n',
    );
  },
  'wallet key': (dice) =>
    within(`0x${dice.text(hex, 62)}a1`, dice.one(['PRIVATE_KEY=', 'private key: ', '"privateKey": "']), '"\n'),
  'wireguard key': (dice) => within(`${dice.key(43)}=`, 'PrivateKey = ', '\nAddress = 10.0.0.2/32'),
  'kubernetes secret': (dice) =>
    within(Buffer.from(password(dice)).toString('base64'), 'kind: Secret\ndata:\n  password: ', '\ntype: Opaque'),
  'docker auth': (dice) =>
    within(
      Buffer.from(`ada:${dice.key(16)}`).toString('base64'),
      '{"auths": {"registry.example.org": {"auth": "',
      '"}}}',
    ),
};

/** A phrase of BIP-39: the entropy, then as many bits of its hash as there are 32 bits, eleven bits a word. */
export function seedPhrase(dice: Dice, count: number): string {
  const entropy = Buffer.from(Array.from({ length: (count * 4) / 3 }, () => dice.below(256)));
  const bits = [entropy, createHash('sha256').update(entropy).digest()]
    .map((bytes) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join(''))
    .join('');
  const list = seedWords();
  return Array.from({ length: count }, (_, at) => list[Number.parseInt(bits.slice(at * 11, at * 11 + 11), 2)]!).join(
    ' ',
  );
}

const settings: readonly (readonly [string, string])[] = [
  ['', ''],
  ['here it is: ', ' please keep it'],
  ['use `', '` for now'],
  ['export KEY=', '\n'],
  ['{"value": "', '"}'],
  ['> [tool:bash] echo ', ' → done'],
  ['line one\\n', '\\nline three'],
  ['(', ')'],
  ['- ', '\n- next'],
  ['Häuschen — ', ' – 世界'],
];

/** Makes one secret of a kind in a setting; what has no form keeps its own. */
export function makeSecret(maker: Maker, dice: Dice): MadeSecret {
  const made = maker(dice);
  if (typeof made !== 'string') return made;
  const [before, after] = dice.one(settings);
  return { text: before + made + after, secret: made };
}
