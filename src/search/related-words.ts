// Words that people use for one thing: a question seldom has the words of its answer. "Holiday" is "vacation", "mother" is "mum".
// English, of everyday life and of work with computers; what belongs to one trade alone is left out.

import { once } from '../base/once-per.ts';
import { termsOf } from '../base/tokenizer.ts';

/** A line each: words that mean the same, or nearly. A general word stands before `>`: it finds the special ones, and they do not find it. */
const lines = `
mother mum mom mam mama mommy mummy
father dad papa daddy
grandmother grandma granny nan nana gran
grandfather grandpa granddad
parents > mum mom dad mother father
child kid toddler
children kids
children > son daughter boy girl
brother bro
sibling > brother sister
husband hubby
wife missus
spouse partner
spouse > husband wife
partner > husband wife boyfriend girlfriend
fiance fiancee engaged engagement
marry married marriage wedding
divorce divorced split separated
baby newborn infant
pregnant expecting pregnancy
relative > aunt uncle cousin nephew niece
friend mate buddy pal
boss manager supervisor
colleague coworker workmate teammate
employer > company firm
work job
job position role occupation profession career
position title
job > hired joined works
workplace office
salary pay wage earnings
fired dismissed sacked
quit resign resigned
promotion promoted
retire retired pension
interview interviewed
meeting call standup
meet gather
apartment flat
house home
live reside
live > moved flat apartment house
address > street road lane avenue
landlord landlady
rent lease
neighbour neighbor
roommate flatmate housemate
kitchen cook
garden yard allotment
lawn grass
couch sofa
fridge refrigerator
rubbish trash garbage bins waste
laundry washing
clean cleaner cleaning
vacuum hoover
fix repair mend
broken broke
plumber boiler
lift elevator
basement cellar
attic loft
ground floor
move moved relocate
town village
city town
country nation
shop store
supermarket grocery groceries
mall shopping
buy purchase bought
cost price fee
cost > euros dollars pounds
price > euros dollars pounds
expensive pricey
cheap inexpensive affordable
money cash
bill invoice
refund reimbursed
debt owe loan
insurance policy
tax taxes
bank account
present gift
car automobile vehicle
vehicle > car van bike truck
bicycle bike
bike cycling
motorcycle motorbike scooter
truck lorry
petrol gas fuel
plane flight fly
airport flight
train rail
bus coach
subway metro underground tube
commute > bus train bike drive
trip journey travel
holiday vacation
holiday > trip travel
hotel inn hostel
accommodation > hotel hostel airbnb
luggage suitcase baggage
passport visa
abroad overseas
beach seaside shore
mountain hill
sea ocean
lake pond
forest woods
hike hiking trek
camping camp tent
tour trip
food meal
eat dine
dinner supper
lunch dinner
breakfast > coffee toast cereal eggs porridge
restaurant diner bistro
cafe coffee
pub bar
drink > coffee tea beer wine juice
alcohol > beer wine drink
sweet candy dessert
sweets candy chocolate
dessert > cake pie ice
biscuit cookie
crisps chips
aubergine eggplant
courgette zucchini
soda pop
recipe dish
vegetarian vegan
meat > beef chicken pork
diet > eating vegan vegetarian
allergy allergic allergies
allergic > allergy intolerant
doctor gp physician
doctor > consultant surgeon nurse specialist
specialist > cardiologist dermatologist neurologist
hospital clinic ward
dentist teeth tooth dental
vet veterinarian
therapist therapy counselor counsellor counseling
physiotherapy physio
operation surgery
procedure surgery operation
sick ill unwell
illness disease
illness > flu cold covid
injury injured hurt
pain hurt ache
medicine medication drug
medication > pill tablet mg
medication > pills tablets capsule
dose mg
prescription prescribed
glasses spectacles
cure healed recovered
recover recovery heal
vaccine vaccination jab
weight kg pounds
exercise workout training
exercise > run running gym swim swimming yoga rowing
gym fitness
sport > football tennis basketball
football soccer
jog jogging run running
swim swimming pool
race marathon
win won
win > prize award
award prize trophy medal
compete competition tournament contest
match game
team squad
coach trainer
club society
hobby > painting drawing pottery knitting
hobby pastime
paint painting
draw drawing sketch
picture photo
photo photograph photography
movie film
cinema theatre
series show
tv television
book novel
read reading
author writer
library librarian
music song
instrument > guitar piano violin drums
instrument > cello trumpet flute clarinet
concert gig show
band group
sing singing
dance dancing
play theatre
museum gallery exhibition
exhibition exhibit
game > chess cards
pet > dog cat rabbit
dog puppy pup
cat kitten
horse pony riding
birthday anniversary
birthday > sixtieth fortieth fiftieth thirtieth
party celebration
celebrate celebration party
ceremony wedding
funeral buried
born birth
die died death
dead died
school classroom
school > teacher pupil class
student pupil
teacher tutor
teach teaching lesson
university college uni
course class
class lesson
exam test
exam > grade passed
grade mark
degree diploma graduate
graduate graduation graduated
study studying
subject major
learn learning
language > spanish french german italian
language > japanese chinese english
homework assignment
church temple mosque
religion faith
volunteer volunteering charity
donate donation
charity fundraiser
fundraise raise
vote election
politics political
police officer
court judge
lawyer attorney solicitor
law legal
contract agreement
army military
war conflict
weather rain
storm flood
winter snow
autumn fall
morning dawn
evening night
nighttime night
weekend saturday sunday
begin start
start > began started
end finish
finish completed
stop quit
cancel cancelled
postpone delayed
delay late
early earlier
deadline due
date day
schedule calendar
appointment booked
reservation booking
book reserve
plan planning
event > party concert
remind reminder
remember recall
forget forgot
happy glad
sad upset
angry furious annoyed
afraid scared fear
worry worried anxious
stress stressed
stress > relax
relax unwind
calm relaxing
tired exhausted
sleep bed
proud pride
love adore
like enjoy
favourite favorite
prefer rather
prefer > favourite favorite
hate dislike
dislike > hate
want wish
hope wish
think believe
idea thought
decide choose
choose pick
choice option
agree accept
refuse reject
allow permit
forbid banned
rule policy
permission allowed
approve approval
approval > sign signed
review reviewer
responsible charge
responsible > owns leads
lead leads
own belongs
answer reply
ask question
tell say
speak talk
talk chat
call phone
phone mobile
phone cell
number digits
email mail
letter post
parcel package delivery
deliver delivery
send ship
message text
chat slack
news update
announce announced
notes minutes
document doc
documentation docs
file folder
folder directory
computer laptop
laptop notebook
keyboard keys
screen monitor
display screen
printer print
software app
software > program tool
app application
program application
editor ide
browser > chrome firefox safari
password passphrase
login credentials
credentials > password token key
server host
host hosted
cloud > aws azure
database db
database > postgres mysql sqlite
repository repo
repo git
branch merge
commit push
deploy deployment release
deploy > deployed rollout
release version
version > upgraded
upgrade update
bug defect
bug > error crash
error failure
failure > failed
crash crashed
outage down downtime
incident outage
fix patch
tests > jest vitest pytest
ci pipeline build
build compile
automate automated
script job
config configuration
setting settings
format formatter
lint linter
language > python typescript rust java
framework library
library package
dependency package
ui interface
interface > screen page
website site
page site
frontend client
backend server
api endpoint
endpoint > url
log logging
monitor monitoring
alert notification
storage disk
memory ram
speed latency
slow latency
fast quick
cache > redis
queue > kafka rabbitmq
ticket issue
task todo
customer client
vendor supplier
provider vendor
budget spend
estimate quote
report summary
chart graph
invoice billing
hire hiring
intern internship
startup company
business company
founder founded
launch release
roadmap plan
goal aim
goal target
dream goal
progress improvement
improve better
problem issue
trouble problem
solve solved
help support
help assist
advice recommendation
recommend suggest
suggest recommendation
reason because
change changed
switch switched
replace replaced
use using
often usually
usual usually
frequency > daily weekly monthly
often > daily weekly monthly
length minutes
duration minutes
duration > hours weeks months
big large
small little
quiet silent
colour color
wear clothes
clothes > shirt dress jacket coat shoes
shoes trainers sneakers
jumper sweater pullover
trousers pants
bag backpack rucksack
necklace jewelry jewellery
hair haircut
hairdresser barber haircut
makeup cosmetics
bath shower
toilet bathroom
blanket duvet
plant plants
plant > flower tree
flower > rose tulip
tree > oak maple
vegetable > tomato carrot
fruit > apple banana
tidy clean
lock locked
door gate
window glass
stairs steps
heating boiler
electricity power
internet wifi
wifi network
battery charge
photo camera
video > clip youtube
podcast episode
newspaper paper
magazine article
article post
blog post
famous celebrity
rich wealthy
poor poverty
young youth
old elderly
elder > nan gran grandmother grandfather
teen teenager
adult grown
man guy
woman lady
people folks
crowd audience
stranger unknown
thief stolen
steal stole
accident crash
danger dangerous
safe safety
rescue saved
adopt adoption
foster shelter
identity gender
art artwork
artist painter
creative creativity
craft crafts
build built
make made
create creation
give gave
get receive
receive got
lose lost
find found
keep store
keep > stored kept
hide hidden
carry bring
bring brought
take took
go went
visit visited
return back
leave left
arrive arrival
arrive > landed
wait waiting
hurry late
drive drove
ride riding
walk walking
sit seat
stand stood
watch watched
see saw
hear heard
`;

interface Line {
  readonly general: readonly string[];
  readonly special: readonly string[] | undefined;
}

/** Stemming changes the ends of words alone. */
const startOf = (word: string): string => word.slice(0, 2);

/** Lines by how their general words begin: to stem them all would take a first question as long as to answer it. */
const linesBy = once((): ReadonlyMap<string, readonly Line[]> => {
  const found = new Map<string, Line[]>();
  for (const line of lines.trim().split('\n')) {
    const [general, special] = line.split(' > ').map((words) => words.split(' '));
    for (const start of new Set(general!.map(startOf))) {
      const others = found.get(start) ?? [];
      others.push({ general: general!, special });
      found.set(start, others);
    }
  }
  return found;
});

const stemOf = (word: string): string => termsOf(word, 'en').terms[0] ?? word;

/** Gives the stems of what people say for the same thing; none for a word that the list does not have. */
export function relatedTo(stem: string): ReadonlySet<string> {
  const start = startOf(stem);
  const said = (linesBy().get(start) ?? [])
    .filter(({ general }) => general.some((word) => word.startsWith(start) && stemOf(word) === stem))
    .flatMap(({ general, special }) => (special ?? general).map(stemOf));
  return new Set(said.filter((other) => other !== stem));
}
