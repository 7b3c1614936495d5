import type { Plugin } from 'vite'

/**
 * Puts the bundler's few lines of runtime into the chunk that each other one loads anyway. They come as a file of their own, which would be one
 * request more on every screen, and of 15 it is one too many.
 */
export const inlineRuntime = (into: string): Plugin => ({
  name: 'masthead-inline-runtime',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const runtime = chunks.find(({ name }) => name === 'rolldown-runtime')
    const home = chunks.find(({ name }) => name === into)
    if (!runtime || !home) return
    const end = /export\{([^}]*)\};?\s*$/.exec(runtime.code)
    if (!end) throw new Error('The runtime of the bundler is not written as expected')
    const [fileName, homeName] = [runtime.fileName, home.fileName].map((name) => name.split('/').at(-1)!) as [string, string]
    const taken = new RegExp(`import\\{([^}]*)\\}from["'\`]\\./${fileName.replaceAll('.', '\\.')}["'\`];?`)
    /** `{a as b}` of an import or an export, as the object pattern or literal `{a:b}`. */
    const asPairs = (names: string, outside: 0 | 1) =>
      names
        .split(',')
        .map((name) => name.trim().split(/ as /))
        .map((pair) => `${pair[outside ? pair.length - 1 : 0]}:${pair[outside ? 0 : pair.length - 1]}`)
        .join(',')
    const given = `{${asPairs(end[1]!, 1)}}`
    const before = chunks.find((chunk) => home.imports.includes(chunk.fileName) && chunk !== runtime && taken.test(chunk.code))
    // It would run before the runtime is there, and the console stay at its first line.
    if (before)
      throw new Error(`The chunk ${into} imports ${before.name}: a schema is used outside of a form (its screen may check by itself)`)
    for (const chunk of chunks) {
      if (chunk === runtime) continue
      const names = taken.exec(chunk.code)?.[1]
      const instead =
        chunk === home
          ? `const rolldownRuntime=(()=>{${runtime.code.slice(0, end.index)};return${given}})();export{rolldownRuntime};`
          : `import{rolldownRuntime}from"./${homeName}";`
      if (names) chunk.code = chunk.code.replace(taken, () => `${instead}const{${asPairs(names, 0)}}=rolldownRuntime;`)
      else if (chunk === home) throw new Error(`The chunk ${into} has no runtime to share`)
      // What is preloaded with a screen is named once more.
      chunk.code = chunk.code.replaceAll(fileName, homeName)
    }
    delete bundle[runtime.fileName]
  },
})
