// Nodes and edges of the graph in typed arrays. The scripts graph*.js are parts of one: this one comes first.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { nodes, edges, ways } = data;
const count = nodes.length;
const x = new Float64Array(count),
  y = new Float64Array(count);
const vx = new Float64Array(count),
  vy = new Float64Array(count);
const held = new Int8Array(count);
const degree = new Float64Array(count);
const out = nodes.map(() => []),
  into = nodes.map(() => []);
for (const edge of edges) {
  const [source, target, way] = edge;
  degree[source] += 1;
  degree[target] += 1;
  out[source].push([target, way]);
  into[target].push([source, way]);
}
const radius = Float64Array.from(degree, (links) => 3 + 1.3 * Math.sqrt(links));
// Letters without accents and case, as the reader types them.
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const names = nodes.map((node) => folded([node.title, ...(node.aliases || [])].join("\n")));

// Notes that hang together begin side by side on a spiral, the largest group in the middle.
const start = () => {
  const seen = new Uint8Array(count);
  const byDegree = nodes.map((_, index) => index).sort((a, b) => degree[b] - degree[a] || a - b);
  const groups = [];
  for (const first of byDegree) {
    if (seen[first]) continue;
    seen[first] = 1;
    const group = [first];
    for (let next = 0; next < group.length; next += 1) {
      for (const [other] of out[group[next]].concat(into[group[next]])) {
        if (!seen[other]) {
          seen[other] = 1;
          group.push(other);
        }
      }
    }
    groups.push(group);
  }
  groups.sort((a, b) => b.length - a.length);
  groups.flat().forEach((index, place) => {
    const distance = 9 * Math.sqrt(place + 0.5),
      angle = place * Math.PI * (3 - Math.sqrt(5));
    x[index] = distance * Math.cos(angle);
    y[index] = distance * Math.sin(angle);
  });
};
start();
