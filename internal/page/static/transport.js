// The transport of a page: all its requests, media and links pass here. There are two: to the server that the page came from, and, in a packed file, to
// the core in the same file, for which the loader (package pack) sets globalThis.prefer.

const server = {
  send: (url, how = {}) => fetch(url, { credentials: "same-origin", ...how }), // promises a Response
  place: async (node, url) => { node.src = url; }, // has a picture, frame, sound or film be what is at an address
  go: (url) => location.assign(url),
  leaves: true, // it can leave for another site when all is said
  finish: (url) => location.assign(url), // leaves for good
  ended: () => {}, // hears that all is said
  reload: () => location.reload(),
  address: () => location.href,
  query: () => location.search,
  remember: (query) => history.replaceState(null, "", `?${query}${location.hash}`), // has the address say what is seen
  local: (url) => new URL(url, location.href).origin === location.origin,
};

export const { send, place, go, leaves, finish, ended, reload, address, query, remember, local } = globalThis.prefer ?? server;
