import { Migration } from '@mikro-orm/migrations';

/**
 * Similar words are looked up for each different word of a search text, and only if it has at most twelve (D305). A text
 * can have hundreds, because some characters stand for a whole phrase, and each one took half a millisecond.
 */
export class FewerSimilarWords extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function alike_query(value text) returns tsquery language plpgsql stable as $$
      declare
        typed text[] := regexp_split_to_array(search_text(value), '\\s+');
        different text[] := array(
          select t.word from unnest(typed) with ordinality as t (word, place) group by t.word order by min(t.place));
        one text;
        one_letters text;
        other text;
        part tsquery;
        whole tsquery;
      begin
        if cardinality(different) > 12 then
          return ''::tsquery;
        end if;
        foreach one in array different loop
          continue when cardinality(typed) > 1 and numnode(plainto_tsquery('english', one)) = 0;
          part := search_query(one);
          one_letters := letters_of(one);
          for other in
            select w.word from (
              select word, letters from search_words
              where length(one) > 1 and word >= one and word < one || chr(1114111)
              union select word, letters from search_words where length(one) > 1 and letters = one_letters
              union select word, letters from search_words where length(one) > 2 and word % one) w
            order by w.letters = one_letters desc, similarity(w.word, one) desc, w.word limit 8
          loop
            part := part || search_query(other);
          end loop;
          whole := coalesce(whole && part, part);
        end loop;
        return coalesce(whole, ''::tsquery);
      end $$`);
  }
}
