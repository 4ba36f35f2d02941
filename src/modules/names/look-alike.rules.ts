/**
 * Characters that stand for Latin letters and digits in names, and that Unicode's table of confusable characters
 * (unhomoglyph) does not have or takes for something else (D340).
 */

/** Alphabets of text decorators, from A to Z. A plain letter marks a gap. */
const alphabets = [
  'ᗩbᑕdᗴfᏀhijklᙢnopᑫrᔕtuvwxyᘔ',
  '卂乃匚d乇千Ꮆ卄丨フҝㄥ爪几ㄖ卩ɋ尺丂ㄒㄩv山乂ㄚ乙',
  'ค๒c๔efgɧเʝkl๓ภ๏קqཞรtยשฬאץʑ',
  '₳฿₵ðꞓ₣₲hijӄⱡmŋʘ₱qr₴ȶʊv₩ӿyⱬ',
  'ꍏꌃꉓꀸꍟꎇꁅꃅꀤꀭꀘ꒒ꂵꈤꂦꉣꆰꋪꌗ꓄ꀎꃴꅏꊼꌩꁴ',
  'ልጌርዕቿቻኗዘጎጋጕረጠክoየዒዪነፕuvሠሸሃጊ',
  'ꛎꔠꛕdeꘘgꖾꕯꖗꗪlmꖛꗞpꖩꗱꕷꖢꖡvꛃꖲꖨ꘤',
  'ᏗᏰፈᎴᏋᎦᎶᏂᎥᏠᏦᏝᎷᏁᎧᎮqᏒᏕᏖᏬᏉᏇጀᎩፚ',
  'ᚣᛒᛈᚦᛊᚫᛩᚻᛨᛇᛕᚳᚥᚺᛜᚹqᚱᛢᛠᛘᛉᚠᛪᚴz',
  '𐌰𐌱ɕ𐌳𐌴𐍆𐌲𐌷𐌹𐌾𐌺𐌻𐌼𐌽𐍈𐍀𐌵𐍂𐍃𐍄𐌿v𐍅𐍇ყ𐌶',
  '𐌀ც𐌂𐌃𐌄𐌅g𐌇ij𐌊𐌋𐌌𐌍𐌏𐌐𐌒𐌓𐌔t𐌖vwӽ𐌙z',
  'ⲁⲃcⲇⲉϥgⲏⲓjklⲙⲛ𐍉ꝕqrⳝⲧⲩvⲱⲭyⳅ',
];

/** Words of a letter or digit and the characters that stand for it: altered Latin letters, and Cyrillic ones whose two cases the table treats differently. */
const variants =
  'aᴀɐɒᶏⱥ bʙᴃᵬᶀꞗßбьƅ cƈɔʗↄꜿꞔς dᴅȡᵭᶁᶑꝺꟈ eᴇǝəɚɘɛɝɞʚᴈᶒᶓᶔᶕⱸⱻꬳꬴ fꜰᶂꝼʄꟻⅎ gɢʛᵷᵹꝿꞡꟑꬶ hʜɥⱨⱶꞕꜧꟶ iᴉᶖꟾ jᴊȷɟ kĸʞᶄⱪꝁꝃꝅꞣ ' +
  'lʟȴɬᴌᶅꝇꝉꞁꞎꬷꬸꬹ mʍɰᴟᶆꟺꬺꟽꟿ n₦ɴȵɲᶇꞑꞥꬻꬼ oᴒᴓⱺꝍɷꟁ٠۰ pᴘþƿᵱᶈꝑꝓꟼ qꝗꝙꞯ rʀɹɺɻɾɿʁᴚᵳᶉⱹꝛꞃꞧꭅꭆꭉꭋꭌꭨгґғ sȿᶊẜꞅꞩꟊꟗꟙƨꙅƽ ' +
  'tᴛƫʇʈⱦꞇᏆ uʉᴝᴞᶙꞹꞿꭏ vʌỽⱱⱴꝟꝩ wⱳꟃωꞷꙍ xχҳᶍꭓꭔꭕꭖꭗꭘꭙ yʎ zɀᶎꝣ 3зҙӡʒȝɜꝫ ллӆ юю #♯';

/** Letters of other scripts that stand for Latin ones beside Latin ones only: elsewhere they spell words of their own language. */
const guests = 'aДдΔΛɅʌ bЪъ eΣΞЭэ nИиПпᴎ oФф rЯяᴙ uЦц wЩщШшΨψ yЧч';

/** Signs that stand for letters inside a word only: elsewhere they are punctuation or ornaments. */
const signs = 'a@∆△▲ d∂ e€ i!¡ l£ n∩ o°˚○◯●◉◎⚪⚫⭕🔴🔵🟠🟡🟢🟣🟤 s$§ t† u∪ v√ x✕✖❌ y¥';

/** Reads words into a map from each character to the first one of its word. */
const tableOf = (words: string) =>
  new Map(
    words.split(' ').flatMap((word) => {
      const [letter = '', ...others] = word;
      return others.map((other) => [other, letter] as const);
    }),
  );

const aToZ = [...'abcdefghijklmnopqrstuvwxyz'];
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);
const startingAt = (first: number, values: readonly string[]) =>
  values.map((value, i) => [String.fromCodePoint(first + i), value] as const);

/** Letters and digits on dark discs and squares, letters of flags, and dingbats. Unicode decomposes only the light ones. */
const symbols = new Map([
  ...[0x1f150, 0x1f170, 0x1f1e6].flatMap((first) => startingAt(first, aToZ)),
  ...[0x2776, 0x2780, 0x278a, 0x24f5].flatMap((first) => startingAt(first, numbers(1, 10))),
  ...startingAt(0x24eb, numbers(11, 20)),
  ...[0x24ff, 0x1f10b, 0x1f10c].flatMap((first) => startingAt(first, ['0'])),
]);

const letters = new Map(
  [
    ...alphabets.flatMap((alphabet) => [...alphabet].map((other, i) => [other, aToZ[i]!] as const)),
    ...tableOf(variants),
  ]
    .flatMap(([other, letter]) =>
      [other, other.toLowerCase(), other.toUpperCase()].map((form) => [form, letter] as const),
    )
    .filter(([form]) => form > '\u007f' && [...form].length === 1),
);

/** Returns a function that replaces the characters of a table, wherever the pattern allows it. */
function replacing(
  table: ReadonlyMap<string, string>,
  patternOf = (any: string) => any,
): (text: string) => string {
  const found = new RegExp(patternOf(`[${[...table.keys()].join('')}]`), 'gu');
  return (text) =>
    text.replaceAll(found, (run) => Array.from(run, (each) => table.get(each) ?? each).join(''));
}

/** Spells out letters and digits that are symbols. */
export const spellSymbols = replacing(symbols);
/** Spells out letters of other scripts that stand beside Latin letters. */
export const spellGuests = replacing(
  tableOf(guests),
  (any) => `(?<=\\p{sc=Latn})${any}+|(?<!${any})${any}+(?=\\p{sc=Latn})`,
);
/** Spells out signs inside words. */
export const spellSignsInWords = replacing(tableOf(signs), (any) => `(?<=\\p{L})${any}+(?=\\p{L})`);
/** Spells out all other characters that stand for Latin letters. */
export const spellLetters = replacing(letters);
/** Spells out signs anywhere, and the usual digits: 0 and 1 look like letters in any case. */
export const spellSignsAndDigits = replacing(tableOf(`${signs} e3 a4 s5 t7`));
