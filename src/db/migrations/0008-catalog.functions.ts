// Punctuation parts words, apostrophes do not; of scripts without blanks every sign is a word. A class of signs is
// matched twenty times as fast as translate() looks each of them up.
const parted = (value: string, further: string) =>
  `regexp_replace(${value}, '[!-&(-/:-@\\[-\`{-~${further}]', ' ', 'g')`;
const plain = parted(`replace(lower(value), '''', '')`, '');
const other = parted(`replace(replace(fold(value), '''', ''), '’', '')`, '–—…·');

/** What is searched of a text: case and accents folded with what every PostgreSQL has, as an extension may be out of reach. */
export const searchFunctions = [
  `
    create function fold(value text) returns text language sql immutable strict parallel safe return
      case when octet_length(value) = length(value) then lower(value)
      else translate(replace(replace(replace(lower(normalize(regexp_replace(
        normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g'), NFC)),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðı', 'olddi') end`,
  `
    create function fold_name(value text) returns text language sql immutable strict parallel safe return
      btrim(regexp_replace(fold(value), '\\s+', ' ', 'g'))`,
  `
    create function search_text(value text) returns text language sql immutable strict parallel safe return
      btrim(case when octet_length(value) = length(value) then ${plain}
      else regexp_replace(${other}, '([\\u2e80-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff])', ' \\1 ', 'g') end)`,
  // Words that say nothing are looked for all the same where there are no others: they may be a name.
  `
    create function search_query(value text) returns tsquery language sql immutable strict parallel safe return
      case when numnode(plainto_tsquery('english', search_text(value))) > 0
        then plainto_tsquery('english', search_text(value)) else plainto_tsquery('simple', search_text(value)) end`,
  `
    create function letters_of(word text) returns text language sql immutable strict parallel safe
    begin atomic
      select string_agg(letter, '' order by letter) from regexp_split_to_table(word, '') letter;
    end`,
];
