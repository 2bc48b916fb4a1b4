// Data: the words by which people tell a secret, read by told-secrets.ts. A language is one line, and begins with its code (BCP 47).
//
// Source: common knowledge of the languages. No list or corpus was copied. Licence: that of the project.
// Figures: see the decision of 2026-11-29 in docs/architecture/protection.md. Worst case: a value that looks like a
// word, and a form of a name that is not here.

/**
 * The names of passwords, tokens, keys and PINs, then what links a name and its value, then what says whose it is.
 *
 * `*` is any letters, a space any gap or none. The names of passwords and tokens mean little else; those of keys do.
 */
export const toldWords = `
language | passwords | tokens | keys | PINs | links | whose
en | password*, pass phrase, pass code, passwd, pwd, pw | token, tokens, api key*, access key*, secret key*, auth key*, licence key*, license key*, secret, secrets | key, keys, credentials | pin, pin code, pin number | is, are, was, is now, is still, is called, will be, changed to, set to, should be, must be, reads, equals, as, to | for, of, to, on, in, at, there, here
de | *passwort*, *passwörter*, *kennwort*, *kennwörter*, zugangscode, passphrase, losungswort | *api schlüssel*, zugangsschlüssel*, geheimschlüssel*, zugriffsschlüssel*, *zugriffstoken, *geheimnis, *token | *schlüssel, *schlüssels, zugangsdaten | pin, pin nummer, geheimzahl, geheimnummer | ist, sind, war, lautet, lauten, heißt, heisst, ist jetzt, ist nun, ist noch, wird, auf, wäre, als | für, von, vom, zu, zum, zur, am, im, in, des, der, hier
fr | mot de passe, mots de passe, mdp, phrase secrète, phrase de passe, code d’accès, code d'accès | jeton*, clé api, clé d’api, clé d'api, clé d’accès, clé d'accès, clé secrète, secret | clé, clés, clef, clefs, identifiants | code pin, code secret, code confidentiel | est, sont, était, est maintenant, est toujours, sera, devient, comme | de, du, des, pour, d’*, d'*
es | contraseña*, palabra clave, código de acceso, frase de contraseña | token, tokens, clave api, clave de api, clave secreta, clave de acceso, llave secreta, secreto | clave, claves, llave, credenciales | pin, código pin, número secreto | es, son, era, es ahora, sigue siendo, será, a, quedó en, como | de, del, para
it | password, parola d’ordine, parola d'ordine, parola chiave, codice d’accesso, codice d'accesso | token, gettone, chiave api, chiave segreta, chiave di accesso, chiave d'accesso, segreto | chiave, chiavi, credenziali | pin, codice pin, codice segreto | è, e', sono, era, è ora, è ancora, sarà, come | di, del, della, dello, dell’*, dell'*, per
pt | senha*, palavra passe, palavra chave, código de acesso | token, tokens, chave api, chave de api, chave da api, chave secreta, chave de acesso, segredo | chave, chaves, credenciais | pin, código pin | é, são, era, é agora, continua sendo, será, como, para | de, do, da, para
nl | *wachtwoord*, toegangscode, wachtzin | *api sleutel*, toegangssleutel*, geheime sleutel, *token, geheim | *sleutel, *sleutels, inloggegevens | pin, pincode, pin nummer | is, zijn, was, luidt, is nu, is nog, wordt, als | voor, van, op
sv | *lösenord*, lösenfras*, lösen | *api nyckel*, åtkomstnyckel*, hemliga nyckel*, hemlig nyckel, *token, hemligheten | *nyckel, *nyckeln | pin, pinkod*, pin kod* | är, var, är nu, blir, lyder, som | för, till, på
da | *adgangskode*, *kodeord*, løsen* | *api nøgle*, adgangsnøgle*, hemmelige nøgle, *token, hemmeligheden | *nøgle, *nøglen | pin, pinkode*, pin kode* | er, var, er nu, bliver, lyder, som | til, for, på
no | *passord*, tilgangskode* | *api nøkkel*, tilgangsnøkkel*, hemmelige nøkkel*, *token, hemmeligheten | *nøkkel, *nøkkelen | pin, pinkode*, pin kode* | er, var, er nå, blir, lyder, som | til, for, på
fi | *salasan*, tunnuslause*, pääsykoodi* | *api avai*, salainen avain, salaisuu*, *tunniste | *avain, *avaimeni | pin, pin koodi*, tunnusluku* | on, oli, on nyt, on yhä |
pl | hasł*, kod dostępu | token*, klucz api, klucz dostępu, tajny klucz, sekret | klucz, klucze, klucza | pin, kod pin | to, jest, brzmi, był, było, jest teraz, to teraz | do, dla, od
cs | hesl*, přístupový kód | token*, klíč api, api klíč, přístupový klíč, tajný klíč, tajemství | klíč, klíče | pin, pin kód | je, bylo, zní, je teď, je nyní, bude | k, ke, pro, do, od
ru | парол*, кодовое слово, кодовая фраза | токен*, ключ api, api ключ*, апи ключ*, секретный ключ, ключ доступа, секрет | ключ, ключи, ключа | пин, пин код*, pin код* | это, теперь, был, будет, такой | от, для, к, на
uk | парол*, кодове слово | токен*, ключ api, api ключ*, секретний ключ, ключ доступу, секрет | ключ, ключі, ключа | пін, пін код*, pin код* | це, тепер, був, буде, такий | від, для, до, на
bg | парол*, код за достъп | токен*, api ключ*, таен ключ, ключ за достъп, тайна | ключ, ключът | пин, пин код* | е, беше, вече е, сега е, ще бъде | за, на, от
sr | lozink*, лозинк*, šifra, шифра | token*, токен*, api ključ*, tajni ključ, тајни кључ | ključ, кључ | pin, pin kod, пин, пин код | je, је, je sada, je bila, glasi | za, od, за, од
lt | slaptažod*, slaptafraz* | api rakt*, prieigos rakt*, slaptas raktas, žeton* | raktas | pin, pin kodas | yra, buvo, bus, dabar yra |
hu | jelsz*, jelmondat*, hozzáférési kód* | token*, api kulcs*, titkos kulcs*, hozzáférési kulcs*, titok | kulcs, kulcsom | pin, pin kód* | a, az, most, lett, volt, lesz |
ro | parol*, cod de acces, cuvânt cheie | token*, cheie api, cheia api, cheie secretă, cheia secretă, cheia de acces, secretul | cheie, cheia | pin, cod pin, codul pin | este, e, era, sunt, este acum, va fi | de, la, pentru
el | κωδικός πρόσβασης, κωδικό πρόσβασης, συνθηματικ*, κωδικός, κωδικό | κλειδί api, μυστικό κλειδί, διακριτικό, μυστικό | κλειδί | pin, κωδικός pin | είναι, ήταν, θα είναι, είναι τώρα | του, της, για
tr | şifre*, parola*, geçiş kodu | api anahtar*, gizli anahtar*, erişim anahtar*, belirteç*, jeton* | anahtar, anahtarım | pin, pin kodu, pin kodum | şu, şudur, artık, şimdi, oldu |
id | kata sandi*, sandi*, kata kunci | token*, kunci api, kunci rahasia, kunci akses, rahasia | kunci | pin, kode pin | adalah, ialah, yaitu, sekarang, menjadi, sebagai | untuk, dari
vi | mật khẩu, mật mã | khóa api, khoá api, khóa bí mật, mã thông báo, mã truy cập | khóa, khoá | pin, mã pin | là, đang là, bây giờ là | cho, của
hi | पासवर्ड, कूटशब्द | टोकन, एपीआई कुंजी, api कुंजी, गुप्त कुंजी, सीक्रेट | कुंजी | पिन, पिन कोड | है, अब, था |
ar | *كلمة المرور, *كلمة مرور, *كلمة السر, *كلمة سر, *كلمة مروري | *مفتاح api, *مفتاح الوصول, *المفتاح السري, *رمز الوصول, *الرمز المميز | *مفتاح, *مفتاحي | pin, *رمز pin, *الرقم السري | هي, هو, كانت, كان, الآن | ل*, الخاص*
he | *סיסמה, *סיסמת*, *סיסמא, *סיסמתי | *טוקן, *מפתח api, *מפתח סודי, *אסימון | *מפתח | pin, *קוד pin, *קוד סודי | היא, הוא, זה, הייתה, עכשיו | של, ל*
zh | *密码*, *密碼*, *口令*, *通行码* | *令牌*, *密钥*, *密鑰*, *金鑰*, *秘钥* | *钥匙* | *pin码, *pin碼 | 是, 为, 為, 就是, 现在是, 改成, 改为, 设为 |
ja | *パスワード*, *暗証番号*, *合言葉*, *パスフレーズ* | *トークン*, *apiキー*, *秘密鍵*, *シークレット*, *アクセスキー* | *キー*, *鍵* | *暗証番号*, pin | は, が, を |
ko | *비밀번호*, *암호*, *패스워드* | *토큰*, *api 키*, *비밀 키*, *액세스 키*, *시크릿* | *키* | *핀번호*, *pin 번호* | 은, 는, 이, 가, 을, 를 |
th | *รหัสผ่าน*, *พาสเวิร์ด* | *โทเค็น*, *คีย์ api*, *คีย์ลับ* | *กุญแจ* | *รหัส pin* | คือ, เป็น | ของ*, สำหรับ*
`;
