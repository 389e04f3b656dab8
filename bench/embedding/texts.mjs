const words =
  `a about above account across action address after again against age air all along also although always among amount
  an analysis and another answer any appear apply approach area argue around arrive article as ask at available away
  balance base batch be because become before begin behind believe below between board body book both branch bring
  budget build business but by call can capital care carry case cause cell central century chance change check chunk
  city claim class clear client close cloud code column come common compare computer condition configuration connect
  consider container contain control cost could country course create current cut data database day deal decide deep
  delay deliver demand department depend describe design detail develop difference digital direct discover discuss
  distance document does down draw drive during each early economy edge effect effort either electric end energy
  engine enough enter error even event every evidence example exchange expect experience explain express extent face
  fact factor fail fall far feature few field figure file final find first follow force form forward free from full
  function fund future general generate get give global go government great group grow half hand happen hard have head
  health heat help here high history hold home hour house how human idea identify if image impact important improve in
  include increase index individual industry influence information inside instead interest into introduce investment
  issue it item job join keep key kind knowledge label language large last late latency law layer lead learn least
  leave legal less let level light like limit line link list little local long look lose low machine main make manage
  many market material matter may mean measure medium meet member memory message method might million mind minute
  model modern moment money month more morning most move much must name nation nature near need network never new next
  night no north not note now number object observe occur of off offer office often on once one only open operate
  option or order organise other our out outside over own page paper paragraph part particular partition party pass
  pattern pay people per percent perhaps period person phase place plan plant play point policy position possible
  power practice prepare present press pressure prevent price private problem process produce product program project
  protect prove provide public purpose put quality quarter query question quick rate rather reach read real reason
  recent recognise record reduce refer reflect region relate release remain remember remote report represent require
  research resource respond result retrieval return reveal right rise risk role room rule run same say scale science
  search season second section security see seem segment sentence separate series serve service set several shape
  share short should show side sign similar simple since single site size skill small social society software some
  source south space special specific stage standard start state statement step still stock stop store story strategy
  stream structure student study subject success such suggest supply support surface switch system table take task
  teach team technology term test text than that the their them then theory there these they thing think this those
  thought through time to together token top total toward trade train transaction transfer travel treat trial true try
  turn two type under understand unit until up update use value various vector version very view visit voice volume
  wait walk wall want war warm was watch water wave way we week weight well what when where whether which while who
  whole why wide will with within without word work world would write year yet young`.split(/\s+/);

/** Texts as a chunker would make them: `count` of them, 10 to 160 words, the same for the same seed. */
export function makeTexts(count, seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const sentence = () => {
    const chosen = Array.from({ length: 6 + Math.floor(next() * 16) }, () => words[Math.floor(next() * words.length)]);
    return `${chosen.join(' ')}.`;
  };
  return Array.from({ length: count }, () => {
    const length = 10 + next() * 150;
    let text = sentence();
    while (text.split(' ').length < length) text += ` ${sentence()}`;
    return text;
  });
}
