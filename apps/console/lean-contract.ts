import type { Plugin } from 'vite'

/** What of an operation only the server and its API description read. */
const serverOnly = ['reply', 'query', 'summary', 'problems']

/**
 * Leaves out of the console what it never reads of `operation({ … })`: the server has parsed each reply and query. The schemas behind
 * them, and the parts of Zod that only they use, then fall away: 4 kB of the first screen.
 */
export const leanContract = (): Plugin => ({
  name: 'masthead-lean-contract',
  apply: 'build',
  transform: {
    filter: { id: /packages\/contract\/src\/.*\.ts$/ },
    handler(code) {
      const cuts: { start: number; end: number }[] = []
      for (const statement of this.parse(code, { lang: 'ts' }).body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type !== 'VariableDeclaration') continue
        for (const { init } of declaration.declarations) {
          if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'operation') continue
          const [promise] = init.arguments
          if (promise?.type !== 'ObjectExpression') continue
          for (const property of promise.properties) {
            if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
            if (serverOnly.includes(property.key.name)) cuts.push(property.value)
          }
        }
      }
      // From the end, so that what stands before keeps its place.
      const lean = cuts.reverse().reduce((rest, { start, end }) => `${rest.slice(0, start)}undefined${rest.slice(end)}`, code)
      // A declaration of the contract changes nothing by being made: one that nobody uses may go.
      return lean.replaceAll(/(?<![\w.])(?=(?:z\.(?:\w+\.)?\w+|operation|event|problem|page|listOf)\()/g, '/* @__PURE__ */ ')
    },
  },
})
