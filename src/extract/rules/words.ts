// Classes of words that patterns are made of.

/** Words of a pattern, joined for use inside `(?:…)`; an underscore stands for a space. */
export function anyOf(words: string): string {
  return words.trim().split(/\s+/).join('|').replaceAll('_', ' ');
}

/** What people, and their animals, are to one another, as alternatives of a pattern. */
export const kin = anyOf(
  `wife husband partner boyfriend girlfriend fiancé fiancée fiance fiancee mom mum mother dad father parents son daughter brother sister twin cousin aunt
  uncle grandma grandpa grandmother grandfather granddaughter grandson niece nephew godmother godfather stepmother stepfather mother-in-law father-in-law
  brother-in-law sister-in-law ex boss manager supervisor colleague coworker co-worker cofounder co-founder best_friend friend roommate flatmate housemate neighbor
  neighbour doctor gp dentist vet therapist mentor teacher coach tutor trainer assistant client customer landlord landlady lawyer accountant caretaker
  contact reviewer intern`,
);
