// Sample data: the support assistant of a retail bank. Names and cases are fictitious.

export interface SeedTopic {
  readonly title: string;
  /** Questions that customers ask about the topic. */
  readonly questions: readonly string[];
  readonly document: { readonly title: string; readonly en: string; readonly de: string; readonly da: string };
  /** Wrong statement by the assistant, which contradicts the document. */
  readonly wrong: string;
}

export const people = [
  { id: "amara.okafor", name: "Amara Okafor", email: "amara.okafor@example.com" },
  { id: "jonas.lindqvist", name: "Jonas Lindqvist", email: "jonas.lindqvist@example.com" },
  { id: "mei.tanaka", name: "Mei Tanaka", email: "mei.tanaka@example.com" },
  { id: "sofia.duarte", name: "Sofia Duarte" },
] as const;

export const topics: readonly SeedTopic[] = [
  {
    title: "Opening an account",
    questions: [
      "Which documents do I need to open a current account?",
      "Can I open an account if I live abroad?",
      "How long does it take until my account is open?",
      "Can two people open an account together?",
      "Is there a minimum deposit for a new account?",
    ],
    document: {
      title: "Account opening guide",
      en: "A current account is opened with a valid passport or identity card and a proof of address that is not older than three months. Most accounts are open within two working days.",
      de: "Ein Girokonto wird mit einem gültigen Pass oder Personalausweis und einem höchstens drei Monate alten Adressnachweis eröffnet. Die meisten Konten sind innerhalb von zwei Arbeitstagen offen.",
      da: "En lønkonto oprettes med gyldigt pas eller id-kort og et adressebevis, der højst er tre måneder gammelt. De fleste konti er åbne inden for to hverdage.",
    },
    wrong: "An account can also be opened with a driving licence, and is open at once.",
  },
  {
    title: "Lost and stolen cards",
    questions: [
      "I lost my card. How do I block it?",
      "Somebody used my stolen card. Will I get my money back?",
      "How do I order a replacement card?",
      "Can I unblock a card that I have found again?",
    ],
    document: {
      title: "Card blocking policy",
      en: "A card is blocked at any hour in the app or by telephone. A blocked card cannot be unblocked; a replacement arrives within five working days. Payments after the block are refunded in full.",
      de: "Eine Karte kann jederzeit in der App oder telefonisch gesperrt werden. Eine gesperrte Karte lässt sich nicht entsperren; die Ersatzkarte kommt innerhalb von fünf Arbeitstagen.",
      da: "Et kort spærres døgnet rundt i appen eller på telefon. Et spærret kort kan ikke åbnes igen; et nyt kommer inden for fem hverdage.",
    },
    wrong: "You can unblock the card yourself in the app if you find it again.",
  },
  {
    title: "Transfers and payments",
    questions: [
      "When does a transfer within the euro area arrive?",
      "Can I cancel a transfer that I sent by mistake?",
      "What is the daily limit for instant payments?",
      "Why was my standing order not executed?",
      "How do I raise my transfer limit for one day?",
    ],
    document: {
      title: "Payment terms",
      en: "Transfers within the euro area arrive on the next working day, instant payments within ten seconds. An executed transfer cannot be cancelled; we ask the receiving bank to return it.",
      de: "Überweisungen im Euroraum kommen am nächsten Arbeitstag an, Echtzeitüberweisungen in zehn Sekunden. Eine ausgeführte Überweisung kann nicht storniert werden.",
      da: "Overførsler i euroområdet er fremme næste hverdag, straksoverførsler på ti sekunder. En udført overførsel kan ikke annulleres.",
    },
    wrong: "A transfer can be cancelled in the app within 24 hours, even after it was executed.",
  },
  {
    title: "Fees and charges",
    questions: [
      "What does the account cost per month?",
      "Why was I charged for a cash withdrawal abroad?",
      "Are there fees for a replacement card?",
      "How can I avoid the monthly account fee?",
    ],
    document: {
      title: "Price list",
      en: "The current account costs 4.90 a month, and nothing with an incoming salary of 1,000 or more. Cash withdrawals outside the euro area cost 1.75 % of the amount.",
      de: "Das Girokonto kostet 4,90 im Monat und nichts ab einem Gehaltseingang von 1.000. Bargeldabhebungen ausserhalb des Euroraums kosten 1,75 % des Betrags.",
      da: "Lønkontoen koster 4,90 om måneden og er gratis med en indgående løn på mindst 1.000. Hævninger uden for euroområdet koster 1,75 % af beløbet.",
    },
    wrong: "The account is free for everybody who is younger than 30.",
  },
  {
    title: "Mortgages",
    questions: [
      "How much can I borrow for a house?",
      "What happens when my fixed rate ends?",
      "Can I repay my mortgage early?",
      "Which insurance do I need for a mortgage?",
    ],
    document: {
      title: "Mortgage handbook",
      en: "We lend up to 80 % of the value of the property. Early repayment of up to 5 % of the loan a year is free; above that a compensation for lost interest is due.",
      de: "Wir finanzieren bis zu 80 % des Immobilienwerts. Sondertilgungen bis zu 5 % im Jahr sind kostenlos; darüber wird eine Vorfälligkeitsentschädigung fällig.",
      da: "Vi låner op til 80 % af ejendommens værdi. Ekstraordinære afdrag på op til 5 % om året er gratis.",
    },
    wrong: "You can repay the whole mortgage at any time free of charge.",
  },
  {
    title: "Online and mobile banking",
    questions: [
      "I forgot my password for the app.",
      "How do I move the app to a new phone?",
      "Is it safe to log in on a public network?",
      "How do I switch on notifications for payments?",
    ],
    document: {
      title: "App help",
      en: "A new phone is added in the app of the old one. Without the old phone, an activation letter is sent to the address that we know. We never ask for a password by telephone.",
      de: "Ein neues Telefon wird in der App des alten hinzugefügt. Ohne das alte Telefon kommt ein Aktivierungsbrief. Wir fragen nie am Telefon nach einem Passwort.",
      da: "En ny telefon tilføjes i appen på den gamle. Uden den gamle telefon sendes et aktiveringsbrev. Vi spørger aldrig om adgangskoder i telefonen.",
    },
    wrong: "Our colleagues may ask for your password by telephone to confirm who you are.",
  },
];

export const tags = [
  { name: "regulated", color: "#DC2626", description: "The answer is bound by law or by a rule of the supervisor." },
  { name: "emergency", color: "#EA580C", description: "A customer may lose money while waiting for the answer." },
  { name: "prices", color: "#CA8A04", description: "The answer names amounts, which change." },
  { name: "small talk", color: "#65A30D", description: "Not about banking at all." },
  { name: "hand-over", color: "#0891B2", description: "The assistant should pass the customer on to a person." },
  { name: "multilingual", color: "#7C3AED", description: "Asked in several languages." },
] as const;

export const definitions = [
  {
    type: "NATURALNESS",
    name: "Sounds like a person",
    criterion: "The answer reads like a helpful colleague, not like a form.",
  },
  {
    type: "RECALL",
    name: "Says all that matters",
    criterion: "Every condition of the document that concerns the customer is in the answer.",
  },
  { type: "FACT", name: "Says nothing untrue", criterion: "No statement contradicts the documents." },
  {
    type: "CUSTOM",
    name: "Never asks for secrets",
    criterion: "The answer does not ask for a password, PIN or card number.",
  },
  { type: "STYLE", name: "Follows the house style", criterion: "The answer keeps to the style guide." },
] as const;

export type SeedDefinitionType = (typeof definitions)[number]["type"];

export const styleGuide = [
  { heading: "Tone", content: "Friendly and brief. Say you, not the customer.", approved: true },
  { heading: "Amounts", content: "Write amounts with currency and two decimals: EUR 4.90.", approved: true },
  { heading: "Promises", content: "Never promise a date that another bank decides on.", approved: false },
] as const;

export const inferenceSteps = [
  { title: "Understand the question", description: "Names topic and intent.", type: "LLM" },
  { title: "Search the knowledge base", description: "Finds up to five passages.", type: "RETRIEVER" },
  { title: "Write the answer", description: "Answers from the passages only.", type: "LLM" },
  { title: "Check the answer", description: "Looks for amounts and promises.", type: "LLM" },
] as const;

export const experiments = [
  { title: "Shorter answers", description: "Does a limit of 80 words cost recall?" },
  { title: "New retriever", description: "Hybrid search instead of vectors alone." },
  { title: "Danish launch", description: "Are answers in Danish as true as those in English?" },
] as const;

/** Sample experiment. Its variants ran in this order; `lift` is the change in the assistant's quality. */
export const settings = {
  experiment: {
    title: "Settings of the answer",
    description: "Which model and which temperature write the best answers, and do more passages help?",
  },
  baseline: {
    title: "As it is",
    config: {
      "step-2": { passages: 5 },
      "step-3": {
        model: "assistant-large",
        temperature: 0.8,
        prompt: "Answer from the passages only, in three sentences at most.",
      },
    },
    lift: -0.2,
  },
  variants: [
    { title: "Temperature 0", description: "Fewer liberties.", patch: { "step-3": { temperature: 0 } }, lift: -0.04 },
    {
      title: "Smaller model",
      description: "A tenth of the price.",
      patch: { "step-3": { model: "assistant-small" } },
      lift: -0.34,
    },
    { title: "Eight passages", description: "More to answer from.", patch: { "step-2": { passages: 8 } }, lift: -0.2 },
  ],
  /** Variant that has not started. It branches from the first variant, which is promoted. */
  next: {
    title: "Without a limit of sentences",
    description: "As long as the matter needs.",
    patch: { "step-3": { prompt: "Answer from the passages only." } },
  },
} as const;

export const contradictions = [
  {
    reason: "The two documents give different times for a replacement card.",
    passageA: "A replacement arrives within five working days.",
    passageB: "Your new card will reach you within ten days.",
  },
  {
    reason: "One document says that a found card can be unblocked, the other that it cannot.",
    passageA: "A blocked card cannot be unblocked.",
    passageB: "If you find your card again, unblock it in the app.",
  },
  {
    reason: "The monthly fee is given with two amounts.",
    passageA: "The current account costs 4.90 a month.",
    passageB: "For 3.90 a month you get a current account with card.",
  },
] as const;
