import type { Plugin } from 'vite'

/** What of an operation only the server and its API description read. */
const serverOnly = ['reply', 'query', 'summary', 'problems']
/** Called from the start and from no form: their bodies are checked by the server alone, so that the start needs no Zod. */
const formless = /name: ['"]auth\.switchAccount['"]/

/** A part of the code, and what stands in its place: `undefined` unless said. */
type Span = { start: number; end: number; instead?: string }

/**
 * Leaves out of the console what it never reads of `operation({ … })`: the server has parsed each reply and query. The schemas behind
 * them, their modules, and the parts of Zod that only they use, then fall away.
 */
export const leanContract = (): Plugin => ({
  name: 'masthead-lean-contract',
  apply: 'build',
  transform: {
    filter: { id: /packages\/contract\/src\/.*\.ts$/ },
    handler(code) {
      const cuts: Span[] = []
      const { body } = this.parse(code, { lang: 'ts' })
      for (const statement of body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type !== 'VariableDeclaration') continue
        for (const { init } of declaration.declarations) {
          if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'operation') continue
          const [promise] = init.arguments
          if (promise?.type !== 'ObjectExpression') continue
          const unread = formless.test(code.slice(promise.start, promise.end)) ? [...serverOnly, 'body'] : serverOnly
          for (const property of promise.properties) {
            if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
            const { name } = property.key
            // That there is a reply is still to be known: an empty answer is none.
            if (unread.includes(name)) cuts.push({ ...property.value, ...(name === 'reply' && { instead: 'null' }) })
          }
        }
      }
      // What only the cuts used is not imported any more either: the build follows imports to find what the first screen is made of.
      const imports = body.filter((statement) => statement.type === 'ImportDeclaration')
      const rest = without(code, [...imports, ...cuts])
      const unused = imports.filter(({ specifiers }) => !specifiers.some(({ local }) => new RegExp(`\\b${local.name}\\b`).test(rest)))
      // A declaration of the contract changes nothing by being made: one that nobody uses may go.
      return without(code, [...unused, ...cuts]).replaceAll(
        /(?<![\w.])(?=(?:z\.(?:\w+\.)?\w+|operation|event|problem|page|listOf)\()/g,
        '/* @__PURE__ */ '
      )
    },
  },
})

/** The code without these parts, given in their order. From the end, so that what stands before keeps its place. */
const without = (code: string, parts: Span[]) =>
  parts.reduceRight((rest, { start, end, instead = 'undefined' }) => `${rest.slice(0, start)}${instead}${rest.slice(end)}`, code)
