// Stands for js-yaml in the bundled program, where nothing may ask for it.

function refuse() {
  throw new Error('front matter is read by records/yaml.ts');
}

module.exports = { safeLoad: refuse, safeDump: refuse };
