// Data: the articles of languages, which change nothing of whether two sentences have the same words. A language is one line, and begins
// with its code (BCP 47). Forms that are other words, too, are left out, such as `die` in English or `os` in Portuguese.
//
// Source: common knowledge of the languages. No list or corpus was copied. Licence: that of the project.
// Worst case: a form that is a word of another language, between words that are otherwise equal.

export const articles = `
en | a, an, the
de | der, das, den, dem, des, ein, eine, einen, einem, einer, eines
fr | le, la, les, une, des
es | el, la, los, las, una, unos, unas
it | il, lo, la, gli, le, una
nl | de, het, een
`;
