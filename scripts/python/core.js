// The core of Rankbox for Python in a browser: a function that starts the program and returns its functions. Python
// waits for no promise, so the program is compiled, started and asked in one go. The build puts Go's glue in.
(() => {
  // Go's glue uses these two names.
  // eslint-disable-next-line no-shadow-restricted-names, no-unused-vars
  const glue = (globalThis, fs) => {
    /* glue */
    return globalThis.Go;
  };
  return (bytes) => {
    let said = '';
    const decoder = new TextDecoder();
    // Go's runtime writes its last words if it ends in a panic. There are no other files.
    const fs = {
      constants: { O_WRONLY: -1, O_RDWR: -1, O_CREAT: -1, O_TRUNC: -1, O_APPEND: -1, O_EXCL: -1, O_DIRECTORY: -1 },
      writeSync(_, text) {
        said += decoder.decode(text, { stream: true });
        return text.length;
      },
      write(_, text, offset, length, __, done) {
        done(null, this.writeSync(_, text.subarray(offset, offset + length)));
      },
    };
    const library = { ready: () => (library.started = true) };
    // Go's global object: the names that the program and its glue set stay here.
    const own = { fs, rankbox: library };
    const scope = new Proxy(globalThis, {
      get: (global, name) => (name in own ? own[name] : global[name]),
      set: (_, name, value) => ((own[name] = value), true),
    });
    const Go = glue(scope, fs);
    const go = new Go();
    let ended = false;
    const end = () => (ended = true);
    go.run(new WebAssembly.Instance(new WebAssembly.Module(bytes), go.importObject)).then(end, end);
    if (!library.started) throw new Error(`the program did not start: ${said.split('\n')[0]}`);
    return {
      ended: () => ended,
      /** [answer, ""] or [null, why not]. */
      call(name, ...args) {
        try {
          const answer = library[name](...args);
          return answer instanceof Error ? [null, answer.message] : [answer, ''];
        } catch (error) {
          ended = true; // the next call starts another
          return [null, `the program ended: ${said.split('\n')[0] || error.message}`];
        }
      },
    };
  };
})();
