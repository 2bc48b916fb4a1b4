// What a person, a group or a thing has one of at a time, as data. A new attribute is a line here.

import type { ValueType } from './reading/values.ts';

/** Where the value of an attribute is: after the form, before it, or anywhere. Anywhere, it is a value of a type or a word of a list. */
export type Place = 'after' | 'before' | { readonly type: ValueType } | { readonly words: readonly string[] };

/** One attribute, and the ways in which people say it. */
export interface Attribute {
  readonly name: string;
  /** Whose it is; a person's is compared with the same person's, a thing's with that of the same thing. */
  readonly of: 'person' | 'thing';
  /** Patterns over a clause, any case; a `~` stands for a form of be. */
  readonly forms: readonly string[];
  readonly value: Place;
  /** Whether the value is a name: "joined Acme", not "joined a choir". */
  readonly isNamed?: boolean;
  /** Whether "my" says whose it is, whatever the clause is about. */
  readonly isMine?: boolean;
  /** Two values can hold side by side, so another one closes only with words of change. */
  readonly isShared?: boolean;
}

const words = (list: string): readonly string[] => list.trim().split(/\s*,\s*/);
const roles =
  '(?:\\p{Alpha}{3,}(?:er|or|ist|ian|ant|ee|man|woman|person|tech)|nurse|analyst|barista|chef|cook|intern|apprentice|clerk|pilot|coach|head|chief|lead|boss|judge|vet|guard|temp|freelance|trainee|student|cto|ceo|cfo|architect|accountant|assistant|agent|professor|phd|postdoc|nanny|librarian|dentist|priest|soldier|cadet|dean|associate)';

export const attributes: readonly Attribute[] = [
  {
    name: 'residence',
    of: 'person',
    value: 'after',
    forms: [
      '(?:live|lives|living|lived|reside|resides|dwell|settled|settling)(?: (?!in\\b|at\\b|on\\b)\\p{Alpha}+)? (?:in|at|on|near)',
      'based (?:in|out of|at)',
      '(?:moved|relocated|transferred|emigrated|moving|relocating|moves) (?:back )?(?:over |up |down |out )?(?:from [^,.;]{1,30} )?to',
      '(?:we|i|he|she|they|mother|father|mum|mom|dad|parents)(?: ~| have| has| rent| rents| own| share| got)[^,.;]{0,30} (?:flat|apartment|house|place|room|studio|two-bed|one-bed|bedsit|cottage) (?:in|at|on)',
      '(?:new |home )?address ~',
    ],
    isNamed: true,
  },
  {
    name: 'employer',
    of: 'person',
    value: 'after',
    forms: [
      '(?:work|works|working|worked|job|position|employed|contract|interning|internship|traineeship|freelance|freelances|freelancing) (?:full-time |part-time |now |(?:\\p{Alpha}+|\\d) (?:days?|hours?) (?:a|per) week )?(?:for|at|by(?! (?:the )?(?:\\d|now\\b|then\\b|noon|next|end|tomorrow|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\\p{Lower}*\\b)))',
      '(?:started|starting|start|signed|begun|began|new job) (?:with|at|working (?:for|at))',
      '(?:joined|joining)',
      `\\b${roles} (?:at|with)`,
    ],
    isNamed: true,
  },
  {
    name: 'employer',
    of: 'person',
    value: 'after',
    forms: [
      'works? (?:full-time |part-time |now )?for(?= (?:the|an?) (?!living|while|bit|few|day|week|month|year)\\p{Lower})',
    ],
  },
  { name: 'employer', of: 'person', value: 'after', forms: ['(?:first|second|third) (?:day|week|month) (?:at|with)'] },
  {
    name: 'employer',
    of: 'person',
    value: 'before',
    isNamed: true,
    forms: ['(?:poached|hired|headhunted|employs|took me on|offered) (?:me|him|her|us)'],
  },
  {
    name: 'job',
    of: 'person',
    value: 'after',
    forms: [
      `(?:i'm|i am|im|he's|she's|he is|she is|i've been) (?:now |still )?(?:an?|the)(?= (?:[\\p{Alpha}-]+ ){0,3}${roles}\\b)`,
      // "I'm Devika, QA analyst on the claims team"
      `(?:i'm|i am|im) (?!not\\b|so\\b)\\p{Alpha}+,(?: an?| the)?(?= (?:[\\p{Alpha}-]+ ){0,2}${roles}\\b)`,
      '(?:work|works|working|worked|started|promoted|hired|retrained|job) (?:as|to)',
      '(?:became|become|made me|promoted to) an?',
      'promoted(?: today| yesterday| recently)?',
    ],
  },
  {
    name: 'partner',
    of: 'person',
    isMine: true,
    value: 'after',
    isNamed: true,
    forms: [
      '(?:girlfriend|boyfriend|wife|husband|partner|fianc[ée]e?|spouse)(?: ~| called| named|,)?',
      '(?:dating|seeing|married|engaged to|together with)',
      '(?:seeing|dating) (?:someone|somebody),',
    ],
  },
  {
    name: 'partner',
    of: 'person',
    isMine: true,
    value: 'before',
    isNamed: true,
    forms: ['\\(?(?:~ )?my (?:new )?(?:girlfriend|boyfriend|wife|husband|partner|fianc[ée]e?)'],
  },
  {
    name: 'flatmate',
    of: 'person',
    isMine: true,
    value: 'after',
    isNamed: true,
    forms: ['(?:flatmate|roommate|housemate|room-mate)(?: ~| called| named|,)?'],
  },
  {
    name: 'flatmate',
    of: 'person',
    isMine: true,
    value: 'before',
    isNamed: true,
    forms: ['\\(?(?:~ )?my (?:new )?(?:flatmate|roommate|housemate|room-mate)'],
  },
  {
    name: 'office',
    of: 'person',
    value: 'after',
    isShared: true,
    forms: [
      "(?:team|office|company|firm|studio|department|headquarters?|hq|we|desk|i)(?: ~|'re|'m)? ?(?:now |all )?(?:sits? |sit |moved |based |located |stays? )?(?:in|on|at)",
    ],
  },
  {
    name: 'phone',
    of: 'person',
    value: { type: 'phone' },
    forms: ['(?:phone|mobile|cell|number|reach|call|ring|text|handy|landline|sim|dead|courier|it|mine)'],
  },
  {
    name: 'email',
    of: 'person',
    value: { type: 'email' },
    forms: ['(?:e-?mail|mail|mailbox|write|reach|address|inbox|send)'],
  },
  {
    name: 'diet',
    of: 'person',
    value: {
      words: words(
        'vegan, vegetarian, pescatarian, pescetarian, omnivore, keto, paleo, low-carb, meat eater, flexitarian, plant-based, meat, gluten-free',
      ),
    },
    forms: ["(?:i'm|i am|im|he's|she's|~|eat|eats|went|turned|became|become|gone|diet|only|now|been)"],
  },
  {
    name: 'commute',
    of: 'person',
    value: { words: words('bike, bicycle, bus, car, train, tram, subway, tube, metro, foot, scooter, ferry, walk') },
    forms: ['(?:commut\\p{Alpha}+|to work|to the office|to school|to uni)'],
  },
  { name: 'manager', of: 'person', value: 'after', isNamed: true, forms: ['(?:report|reports|reporting) to'] },
  {
    name: 'car',
    of: 'person',
    value: 'after',
    isShared: true,
    forms: ['(?:drive|drives|driving) (?:an?|my|our)', 'car ~'],
  },
  {
    name: 'medication',
    of: 'person',
    value: 'after',
    isShared: true,
    forms: [
      "(?:take|takes|taking|prescribed(?: me| him| her)?|(?:put|puts|wants|has) (?:me|him|her) on|i'm on|switched (?:me|him|her)? ?to|gave me)",
    ],
  },
  { name: 'rent', of: 'person', value: { type: 'money' }, forms: ['(?:rent|landlord|landlady|lease)'] },
  { name: 'rent', of: 'person', value: { type: 'number' }, forms: ['(?:rent|landlord|landlady|lease)'] },
];

/** Kinds of tools, services and languages by what they are for, with what people call them; of one kind one is used for one purpose. */
export const tools: Readonly<Record<string, readonly string[]>> = {
  editor: words(
    'vim, neovim, nvim, emacs, helix, sublime text, sublime, vs code, vscode, visual studio code, atom, nano, zed, intellij, pycharm, webstorm, notepad++, eclipse, xcode, cursor, textmate, android studio',
  ),
  browser: words(
    'firefox, chrome, safari, edge, vivaldi, brave, opera, arc, chromium, librewolf, tor browser, internet explorer',
  ),
  'package manager': words(
    'npm, yarn, pnpm, bun, pip, poetry, uv, conda, pipenv, cargo, maven, gradle, composer, homebrew, bundler',
  ),
  'test runner': words(
    'jest, vitest, mocha, jasmine, ava, karma, pytest, unittest, nose, rspec, minitest, junit, testng, cypress, playwright, selenium, tap, node:test',
  ),
  database: words(
    'postgres, postgresql, mysql, mariadb, sqlite, mongodb, mongo, oracle, sql server, dynamodb, cassandra, redis, couchdb, cockroachdb, firestore, supabase, duckdb, neo4j',
  ),
  warehouse: words('bigquery, snowflake, redshift, clickhouse, databricks, druid, synapse'),
  ci: words(
    'jenkins, github actions, gitlab ci, circleci, travis, travis ci, bitrise, buildkite, teamcity, drone, azure pipelines, woodpecker, bamboo, appveyor',
  ),
  hosting: words(
    'heroku, netlify, vercel, fly.io, render, hetzner, digitalocean, linode, aws, azure, gcp, google cloud, cloudflare pages, railway, ovh, github pages, scaleway, lightsail, cloudways',
  ),
  forge: words('github, gitlab, bitbucket, codeberg, gitea, forgejo, sourcehut, gerrit'),
  notes: words(
    'obsidian, evernote, notion, joplin, logseq, onenote, apple notes, bear, roam, google keep, standard notes, simplenote, zettlr, org-mode',
  ),
  chat: words(
    'whatsapp, signal, telegram, slack, discord, teams, microsoft teams, mattermost, matrix, element, zulip, rocket.chat, viber, imessage, threema, wechat',
  ),
  calls: words('zoom, google meet, meet, jitsi, webex, skype, whereby, facetime'),
  'password manager': words(
    'lastpass, bitwarden, 1password, keepass, keepassxc, dashlane, proton pass, nordpass, enpass, icloud keychain',
  ),
  tracker: words(
    'jira, linear, asana, trello, youtrack, clickup, monday.com, redmine, bugzilla, basecamp, shortcut, todoist, things, ticktick',
  ),
  queue: words(
    'rabbitmq, kafka, nats, nats jetstream, sqs, pulsar, activemq, celery, zeromq, pub/sub, kinesis, redis streams, bullmq, sidekiq',
  ),
  monitoring: words(
    'datadog, grafana, prometheus, new relic, sentry, honeycomb, splunk, loki, elk, kibana, nagios, zabbix, rollbar, bugsnag, cloudwatch, dynatrace',
  ),
  infrastructure: words('ansible, terraform, pulumi, puppet, chef, saltstack, cloudformation, opentofu'),
  language: words(
    'rust, golang, python, java, kotlin, scala, typescript, javascript, ruby, php, elixir, c++, c#, swift, perl, haskell, clojure, zig',
  ),
  framework: words(
    'react, vue, angular, svelte, solid, ember, django, flask, rails, laravel, next.js, nuxt, fastapi, spring, express',
  ),
  music: words('spotify, apple music, tidal, deezer, youtube music, qobuz, soundcloud'),
  storage: words('dropbox, google drive, onedrive, icloud, nextcloud, owncloud, syncthing, box'),
  mail: words('gmail, outlook, protonmail, proton mail, fastmail, thunderbird, apple mail, tutanota, posteo, hey'),
  shell: words('bash, zsh, fish, powershell, nushell'),
  system: words('windows, macos, ubuntu, debian, fedora, arch, arch linux, linux mint, nixos, linux'),
  carrier: words('vodafone, telekom, o2, t-mobile, verizon, at&t, ee, orange, three, telefonica, swisscom, sunrise'),
  typesetting: words('latex, typst, word, google docs, pandoc, asciidoc, libreoffice'),
  search: words('elasticsearch, opensearch, meilisearch, typesense, solr, algolia, lucene, sphinx, manticore'),
  linter: words(
    'eslint, biome, tslint, oxlint, standardjs, xo, ruff, flake8, pylint, black, rubocop, golangci-lint, prettier',
  ),
  bundler: words('webpack, vite, rollup, parcel, esbuild, turbopack, rspack, browserify, tsup'),
  proxy: words('nginx, caddy, traefik, haproxy, apache, envoy, varnish'),
  secrets: words('vault, doppler, infisical, sops, aws secrets manager, parameter store'),
  payments: words('stripe, paypal, adyen, braintree, mollie, klarna, square, worldpay, paddle, sumup, zettle'),
  authentication: words('auth0, okta, keycloak, clerk, cognito, firebase auth, entra id, authentik'),
  'time tracker': words('toggl, clockify, harvest, timely, kimai, clockodo, everhour, timeular'),
  accounting: words('quickbooks, xero, sage, freshbooks, lexoffice, datev, wave, freeagent, sevdesk, excel'),
  budget: words('ynab, mint, emma, monzo, revolut, n26, actual budget, moneywiz, gnucash'),
  calendar: words('google calendar, apple calendar, fantastical, calendly, cal.com, doodle, thunderbird calendar'),
  cad: words(
    'sketchup, rhino, autocad, revit, fusion 360, solidworks, freecad, archicad, onshape, vectorworks, blender, tinkercad',
  ),
  design: words('figma, sketch, penpot, canva, adobe xd, invision, framer'),
  images: words(
    'photoshop, gimp, lightroom, darktable, capture one, affinity photo, pixelmator, rawtherapee, krita, procreate',
  ),
  video: words('premiere, final cut, davinci resolve, imovie, kdenlive, capcut, avid'),
  sound: words('ableton, logic pro, reaper, audacity, garageband, fl studio, pro tools, ardour, cubase'),
  reading: words('goodreads, storygraph, librarything, kindle, kobo, pocket, instapaper, readwise, libby'),
  fitness: words(
    'strava, garmin connect, komoot, runkeeper, myfitnesspal, fitbit, whoop, peloton, zwift, hevy, strong',
  ),
  navigation: words('google maps, apple maps, waze, organic maps, here wego, osmand, tomtom'),
  podcasts: words('overcast, pocket casts, antennapod, castro, apple podcasts'),
  site: words(
    'wordpress, ghost, hugo, jekyll, squarespace, wix, webflow, eleventy, astro, gatsby, drupal, shopify, typo3',
  ),
  newsletter: words('mailchimp, substack, buttondown, convertkit, beehiiv, brevo, mailerlite'),
  containers: words('kubernetes, docker swarm, nomad, ecs, podman, docker compose, k3s, openshift, docker'),
};

const be = "(?:is|are|was|were|'s|'re|'m|will be|has been)";
const compiled = attributes.map((attribute) => ({
  attribute,
  form: new RegExp(
    `(?<![\\p{Alpha}\\d])(?:${attribute.forms.join('|').replaceAll(' ~', `(?: ${be}|'s|'re)`).replaceAll('~ ', `${be} `).replaceAll('~', be)})(?![\\p{Alpha}\\d])`,
    'gu',
  ),
}));

/** Each name by its first word, with its kinds: what is named is looked up word by word. */
const byFirstWord = new Map<string, { readonly kind: string; readonly name: string }[]>();
for (const [kind, names] of Object.entries(tools)) {
  for (const name of names) {
    const first = name.split(' ')[0]!;
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), { kind, name }]);
  }
}
/** Names that are everyday words count only with a capital inside a sentence. */
const everyday = new Set(
  words(
    'atom, nano, cursor, edge, brave, opera, arc, render, railway, bear, notion, roam, signal, slack, element, matrix, teams, linear, things, asana, shortcut, meet, zoom, chef, puppet, rust, java, swift, go, ruby, fish, windows, orange, three, box, word, hey, spring, express, solid, ember, oracle, drone, druid, azure, safari, chrome, python, sunrise, synapse, bamboo, tap, nose, cargo, conda, poetry, bun, yarn, composer, bundler, eclipse, flask, rails, mocha, ava, karma, jasmine, discord, sentry, honeycomb, pulsar, celery, tidal, ee, arch, outlook, uv, loki, zed, pip, maven, black, parcel, vault, square, harvest, timely, sage, wave, mint, emma, excel, sketch, logic pro, reaper, premiere, kindle, pocket, strong, castro, overcast, max, ghost, jekyll, brevo, nomad, sphinx, standardjs, caddy, apache, clerk, vite, krita, doodle, waze, hugo, astro, whoop, rhino, blender, avid, buttondown, biome, apache, envoy, rollup, solr, word',
  ),
);

/** A tool that a clause names, and where. */
export interface NamedTool {
  readonly kind: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const nameLike = /(?<![\p{Alpha}\d@./-])[\p{Alpha}\d][\p{Alpha}\d+#&:.-]*/gu;

/** Lists the tools that a clause names. Everyday words count with a capital; `yarn` also where it is what is used. */
export function toolsIn(clause: string): NamedTool[] {
  const found: NamedTool[] = [];
  const lower = clause.toLowerCase();
  for (const match of clause.matchAll(nameLike)) {
    const start = match.index;
    const word = match[0].toLowerCase().replace(/(?:['’]s|[.:,-]+)$/, '');
    for (const { kind, name } of byFirstWord.get(word) ?? []) {
      const end = start + name.length;
      if (!lower.startsWith(name, start) || /[\p{Alpha}\d]/u.test(lower[end] ?? '')) continue;
      const isCapital = /^\p{Upper}/u.test(match[0]) && start > 0;
      const isUsed = /\b(?:uses?|using|on|to|with|in|via|over|run|runs|for)\s$/i.test(clause.slice(0, start));
      if (everyday.has(name) && !isCapital && !(isUsed && kind !== 'system' && kind !== 'carrier')) continue;
      found.push({ kind, name, start, end });
    }
  }
  return found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one &&
          other.kind === one.kind &&
          other.start <= one.start &&
          one.end <= other.end &&
          other.name.length > one.name.length,
      ),
  );
}

/** Nouns for what a thing has one of at a time, as stems: another value ends the former one without a word of change. */
const singles =
  /^(?:port|version|url|uri|host|domain|e-?mail|address|phone|number|name|branch|path|folder|budget|price|fee|rate|salari|rent|deadlin|birthdai|anniversari|limit|timeout|quota|threshold|size|count|interv|timezon|languag|currenc|colou?r|owner|manag|boss|capit|default|password|code|pin|ssid|wifi|wi-fi|capac|minimum|maximum|target|headquart|hq|titl|role|holder|chair|captain|coach|supervisor|landlord|accountant|advis|lawyer|dentist|doctor|vet|gp|teacher|tutor|contact|review|dose|temperatur|speed|height|weight|age|score|balanc|debt|mileag|extens|platform|gate|room|desk|seat)$/;

/** Tells whether a thing has one of what a noun names; what is favourite, primary or official is one. */
export function isSingle(stem: string, narrowed: readonly string[]): boolean {
  return (
    singles.test(stem) ||
    narrowed.some((word) => /^(?:favou?rit|primari|offici)$/.test(word)) ||
    (stem === 'date' && narrowed.length > 0)
  );
}

/** An attribute where a clause says it. */
export interface Mention {
  readonly attribute: Attribute;
  readonly start: number;
  readonly end: number;
}

/** Lists the attributes that a clause speaks of, each with the place of the form that says so. */
export function mentionsIn(clause: string): Mention[] {
  const source = clause.replaceAll('’', "'").toLowerCase();
  const found: Mention[] = [];
  for (const { attribute, form } of compiled) {
    const { value } = attribute;
    if (typeof value === 'object' && 'words' in value && !value.words.some((word) => source.includes(word))) continue;
    for (const match of source.matchAll(form)) {
      found.push({ attribute, start: match.index, end: match.index + match[0].length });
    }
  }
  return found;
}
