-- More letters that look like those of Latin: small capitals and signs of phonetics, Cherokee, Lisu, Coptic, Armenian, syllabics, and more
-- of Cyrillic. Names of members, and names and symbols of tokens, are compared by them.
-- Step: expand; safe while the old server still runs: it refuses a taken key as it refuses a taken name.
-- Mode: online
-- Undo: make florka_name_key of 20261123115222 again, and both sets of keys with the statements below.

create or replace function florka_name_key(input text) returns text language sql immutable parallel safe strict as $$
  select replace(replace(translate(lower(translate(translate(
    regexp_replace(normalize(input, NFKD),
      '[\s\u00ad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2028-\u202e\u2060-\u206f\u20d0-\u20ff\u2800\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0]',
      '', 'g'),
    'АВЕЅІЈКМНОРСТУХҺԚԜавеѕіјкмнорстухһԁԛԝьгпΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχγωıɑɡøØłŁđĐħĦ’‘`´ʼ‐‑–—−',
    'ABESIJKMHOPCTYXHQWabesijkmhopctyxhdqwbrnABEZHIKMNOPTYXabeikvoptuxywiagoOlLdDhH''''''''''-----'),
    -- As server/lib/letters-alike.ts has them.
    'ᴀⱥȺᎪꭺꓮⲀⲁᗅʙƅƄƀɃɓƁᏏꮟᏴᏼꓐᗷᑲᖯⲂⲃᴄƈƇȼȻᏟꮯꓚⲤⲥᑕᴅɗƊɖƉᎠꭰᏧꮷꓓᗞᗪᑯᴇɛƐɇɆєЄҽҼ℮ᎬꭼꓰⲈⲉꜰƒƑꞙꞘꓝᖴɢǥǤɠƓᶃԍԌցՑᏀꮐꓖʜɦћЋհՀᎻꮋᏂꮒꓧᕼⲎⲏɪɩƖɨƗᎥꭵꓲⲒⲓᴊɉɈȷᎫꭻꓙᒍᴋĸƙƘⱪⱩᏦꮶꓗⲔⲕʟɭɫⱢƚȽӏӀլԼᏞꮮꓡᒪⵏ׀اᴍɱⱮᎷꮇꓟᗰⲘⲙɴɲƝŋŊոՈꓠᑎⲚⲛᴏօՕꓳⲞⲟ૦໐০ഠဝסەᴘƥƤᏢꮲꓑᑭⲢⲣʠɋɊզԶʀꭇɍɌᎡꭱᏒꮢꓣᖇꜱʂⱾȿՏտᏚꮪꓢᴛŧŦⱦȾƭƬᎢꭲꓔⲦⲧᴜսՍꓴᑌᴠʋƲѵѴᏙꮩꓦᐯᴡѡѠᎳꮃᏔꮤꓪᗯ×ꓫ᙭ⲬⲭʏỿỾɏɎүҮᎩꭹꓬⲨⲩᴢƶƵⱬⱫᏃꮓꓜᘔ',
    'aaaaaaaaabbbbbbbbbbbbbbbbbcccccccccccdddddddddddddeeeeeeeeeeeeeeefffffffggggggggggggghhhhhhhhhhhhhhiiiiiiiiiijjjjjjjjkkkkkkkkkkklllllllllllllllllmmmmmmmmmnnnnnnnnnnnooooooooooooopppppppppqqqqqrrrrrrrrrrsssssssssttttttttttttuuuuuvvvvvvvvvwwwwwwwwwxxxxxyyyyyyyyyyyyzzzzzzzzz')),
    'i1|0', 'lllo'), 'rn', 'm'), 'vv', 'w')
$$;

-- Who has such a name already keeps it. The key stays with whoever holds it, and is nobody else's; one by one, for two may become alike.
-- Batch
update forum_users f set name_key = florka_name_key(username) || case when exists (
    select 1 from forum_users o where o.id <> f.id and o.name_key = florka_name_key(f.username)) then ' ' || id else '' end
where id = (select id from forum_users where username ~ '[ᴀⱥȺᎪꭺꓮⲀⲁᗅʙƅƄƀɃɓƁᏏꮟᏴᏼꓐᗷᑲᖯⲂⲃᴄƈƇȼȻᏟꮯꓚⲤⲥᑕᴅɗƊɖƉᎠꭰᏧꮷꓓᗞᗪᑯᴇɛƐɇɆєЄҽҼ℮ᎬꭼꓰⲈⲉꜰƒƑꞙꞘꓝᖴɢǥǤɠƓᶃԍԌցՑᏀꮐꓖʜɦћЋհՀᎻꮋᏂꮒꓧᕼⲎⲏɪɩƖɨƗᎥꭵꓲⲒⲓᴊɉɈȷᎫꭻꓙᒍᴋĸƙƘⱪⱩᏦꮶꓗⲔⲕʟɭɫⱢƚȽӏӀլԼᏞꮮꓡᒪⵏ׀اᴍɱⱮᎷꮇꓟᗰⲘⲙɴɲƝŋŊոՈꓠᑎⲚⲛᴏօՕꓳⲞⲟ૦໐০ഠဝסەᴘƥƤᏢꮲꓑᑭⲢⲣʠɋɊզԶʀꭇɍɌᎡꭱᏒꮢꓣᖇꜱʂⱾȿՏտᏚꮪꓢᴛŧŦⱦȾƭƬᎢꭲꓔⲦⲧᴜսՍꓴᑌᴠʋƲѵѴᏙꮩꓦᐯᴡѡѠᎳꮃᏔꮤꓪᗯ×ꓫ᙭ⲬⲭʏỿỾɏɎүҮᎩꭹꓬⲨⲩᴢƶƵⱬⱫᏃꮓꓜᘔ]'
  and split_part(name_key, ' ', 1) <> florka_name_key(username) order by created_at, id limit 1);

-- Tokens: the triggers do it, as a change of nothing.
-- Batch
update projects set token_name = token_name where id in (select r.id from projects r join likeness_keys k
  on k.kind = 'project' and k.record_id = r.id where r.token_name || r.token_symbol ~ '[ᴀⱥȺᎪꭺꓮⲀⲁᗅʙƅƄƀɃɓƁᏏꮟᏴᏼꓐᗷᑲᖯⲂⲃᴄƈƇȼȻᏟꮯꓚⲤⲥᑕᴅɗƊɖƉᎠꭰᏧꮷꓓᗞᗪᑯᴇɛƐɇɆєЄҽҼ℮ᎬꭼꓰⲈⲉꜰƒƑꞙꞘꓝᖴɢǥǤɠƓᶃԍԌցՑᏀꮐꓖʜɦћЋհՀᎻꮋᏂꮒꓧᕼⲎⲏɪɩƖɨƗᎥꭵꓲⲒⲓᴊɉɈȷᎫꭻꓙᒍᴋĸƙƘⱪⱩᏦꮶꓗⲔⲕʟɭɫⱢƚȽӏӀլԼᏞꮮꓡᒪⵏ׀اᴍɱⱮᎷꮇꓟᗰⲘⲙɴɲƝŋŊոՈꓠᑎⲚⲛᴏօՕꓳⲞⲟ૦໐০ഠဝסەᴘƥƤᏢꮲꓑᑭⲢⲣʠɋɊզԶʀꭇɍɌᎡꭱᏒꮢꓣᖇꜱʂⱾȿՏտᏚꮪꓢᴛŧŦⱦȾƭƬᎢꭲꓔⲦⲧᴜսՍꓴᑌᴠʋƲѵѴᏙꮩꓦᐯᴡѡѠᎳꮃᏔꮤꓪᗯ×ꓫ᙭ⲬⲭʏỿỾɏɎүҮᎩꭹꓬⲨⲩᴢƶƵⱬⱫᏃꮓꓜᘔ]'
  and (k.name_key, k.symbol_key) is distinct from (florka_likeness_name(r.token_name), florka_likeness(r.token_symbol)) limit 500);
-- Batch
update voting_candidates set token_name = token_name where id in (select r.id from voting_candidates r join likeness_keys k
  on k.kind = 'candidate' and k.record_id = r.id where r.token_name || r.token_symbol ~ '[ᴀⱥȺᎪꭺꓮⲀⲁᗅʙƅƄƀɃɓƁᏏꮟᏴᏼꓐᗷᑲᖯⲂⲃᴄƈƇȼȻᏟꮯꓚⲤⲥᑕᴅɗƊɖƉᎠꭰᏧꮷꓓᗞᗪᑯᴇɛƐɇɆєЄҽҼ℮ᎬꭼꓰⲈⲉꜰƒƑꞙꞘꓝᖴɢǥǤɠƓᶃԍԌցՑᏀꮐꓖʜɦћЋհՀᎻꮋᏂꮒꓧᕼⲎⲏɪɩƖɨƗᎥꭵꓲⲒⲓᴊɉɈȷᎫꭻꓙᒍᴋĸƙƘⱪⱩᏦꮶꓗⲔⲕʟɭɫⱢƚȽӏӀլԼᏞꮮꓡᒪⵏ׀اᴍɱⱮᎷꮇꓟᗰⲘⲙɴɲƝŋŊոՈꓠᑎⲚⲛᴏօՕꓳⲞⲟ૦໐০ഠဝסەᴘƥƤᏢꮲꓑᑭⲢⲣʠɋɊզԶʀꭇɍɌᎡꭱᏒꮢꓣᖇꜱʂⱾȿՏտᏚꮪꓢᴛŧŦⱦȾƭƬᎢꭲꓔⲦⲧᴜսՍꓴᑌᴠʋƲѵѴᏙꮩꓦᐯᴡѡѠᎳꮃᏔꮤꓪᗯ×ꓫ᙭ⲬⲭʏỿỾɏɎүҮᎩꭹꓬⲨⲩᴢƶƵⱬⱫᏃꮓꓜᘔ]'
  and (k.name_key, k.symbol_key) is distinct from (florka_likeness_name(r.token_name), florka_likeness(r.token_symbol)) limit 500);
-- Batch
update next_projects set token_name = token_name where id in (select r.id from next_projects r join likeness_keys k
  on k.kind = 'next_project' and k.record_id = r.id where r.token_name || r.token_symbol ~ '[ᴀⱥȺᎪꭺꓮⲀⲁᗅʙƅƄƀɃɓƁᏏꮟᏴᏼꓐᗷᑲᖯⲂⲃᴄƈƇȼȻᏟꮯꓚⲤⲥᑕᴅɗƊɖƉᎠꭰᏧꮷꓓᗞᗪᑯᴇɛƐɇɆєЄҽҼ℮ᎬꭼꓰⲈⲉꜰƒƑꞙꞘꓝᖴɢǥǤɠƓᶃԍԌցՑᏀꮐꓖʜɦћЋհՀᎻꮋᏂꮒꓧᕼⲎⲏɪɩƖɨƗᎥꭵꓲⲒⲓᴊɉɈȷᎫꭻꓙᒍᴋĸƙƘⱪⱩᏦꮶꓗⲔⲕʟɭɫⱢƚȽӏӀլԼᏞꮮꓡᒪⵏ׀اᴍɱⱮᎷꮇꓟᗰⲘⲙɴɲƝŋŊոՈꓠᑎⲚⲛᴏօՕꓳⲞⲟ૦໐০ഠဝסەᴘƥƤᏢꮲꓑᑭⲢⲣʠɋɊզԶʀꭇɍɌᎡꭱᏒꮢꓣᖇꜱʂⱾȿՏտᏚꮪꓢᴛŧŦⱦȾƭƬᎢꭲꓔⲦⲧᴜսՍꓴᑌᴠʋƲѵѴᏙꮩꓦᐯᴡѡѠᎳꮃᏔꮤꓪᗯ×ꓫ᙭ⲬⲭʏỿỾɏɎүҮᎩꭹꓬⲨⲩᴢƶƵⱬⱫᏃꮓꓜᘔ]'
  and (k.name_key, k.symbol_key) is distinct from (florka_likeness_name(r.token_name), florka_likeness(r.token_symbol)) limit 500);
