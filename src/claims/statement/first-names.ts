// First names that say whether "he" or "she" can mean somebody. Only such as are one of both nearly everywhere; of any other nothing is known.

const his = `
  aaron adam ahmed alan albert alexander ali andreas andrew anthony anton arthur ben benjamin bernard bilal bob brian bruno caleb carl carlos charles christopher
  colin craig damian daniel dave david declan dennis derek diego dominic donald douglas edward eduardo emil eric ethan felix fernando francis frank fred gareth
  gary george gerald giovanni gordon graham greg hans harold harry hassan hector henry hugo ian ibrahim isaac ivan jack jacob jakub james jason javier jeff jens
  jeremy jerome jim joe joel john jonas jonathan jorge jose joseph joshua juan karl keith kenneth kevin klaus lars laurence leon leonard liam logan louis luca lucas
  luis lukas magnus malcolm manuel marcel marco marcus mark martin mateo matthew max michael miguel mohamed mohammed nathan neil nicholas nigel noah oliver olaf oscar
  omar otto owen pablo patrick paul pedro peter philip pierre rafael ralph raymond ricardo richard robert roger roland ronald rory roy rupert samuel sebastian sergio
  simon stefan stephen steve stuart tariq ted terence theo thomas tim timothy tobias tom victor vincent walter wayne wilhelm william yusuf zachary`;
const hers = `
  abigail adele agnes aisha alice alicia alison amanda amelia amy angela anita anna anne annie astrid audrey barbara beatrice beth bethany bridget camille carmen carol
  caroline catherine cecilia charlotte chloe christina claire clara claudia daisy daniela deborah denise diana donna doris dorothy edith eleanor elena elise elizabeth
  ella ellen eloise elsa emily emma erica esther eva evelyn farida fatima felicity fiona florence frances freya gabriela gemma georgia gertrude gloria grace greta
  hannah harriet heather heidi helen helena holly ida imogen ines ingrid irene iris isabel isabella jane janet janice jenna jennifer jenny jessica joan joanna
  josephine joyce judith julia juliet karen kate katherine kathleen katie khadija laura lena leila lily linda lisa louise lucia lucy lydia maja mara margaret maria
  marie marta martha mary matilda maya megan melissa miriam molly monica nadia naomi natalie natasha nina nora olga olivia paula penelope petra phoebe polly priya
  rachel rebecca rosa rosalind rose rosie ruth sandra sara sarah sheila silvia sofia sonia sophia sophie stella susan suzanne svetlana sylvia tamara tanya teresa
  tina ursula valerie vanessa vera veronica victoria violet wendy yasmin yvonne zoe`;

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const [men, women] = [names(his), names(hers)];

/** Tells by which pronoun a first name goes; undefined for a name that tells nothing. */
export function pronounOf(name: string): 'he' | 'she' | undefined {
  const first = name.toLowerCase().replace(/ .*/, '');
  return men.has(first) ? 'he' : women.has(first) ? 'she' : undefined;
}
