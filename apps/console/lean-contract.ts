import { basename } from 'node:path'
import type { ESTree, Plugin } from 'vite'

/** What of an operation or an event only the server and its API description read. */
const serverOnly = ['query', 'summary', 'problems', 'detail']
/** A file of the contract with the bodies of its operations, and all that they are made of. */
const whole = '?whole'
export const isWhole = (id: string) => id.endsWith(whole)

/** A part of the code, and what stands in its place. */
type Span = { start: number; end: number; instead: string }

/**
 * Leaves out of the console what it never reads of `operation({ … })`: the server has parsed each reply and query. A body is read by the form
 * that it checks, and loaded with it: in its place stands what loads it (`kit/schema-resolver.ts`). The schemas behind them, their modules, and
 * Zod then fall away from what a screen shows first.
 */
export const leanContract = (): Plugin => ({
  name: 'masthead-lean-contract',
  apply: 'build',
  resolveId: {
    order: 'pre',
    // A whole file is made of whole files.
    async handler(source, importer) {
      if (!importer || !isWhole(importer) || !source.startsWith('.')) return null
      const found = await this.resolve(source, importer.slice(0, -whole.length))
      return found && `${found.id}${whole}`
    },
  },
  transform: {
    filter: { id: /packages\/contract\/src\/.*\.ts(\?whole)?$/ },
    handler(code, id) {
      const { body } = this.parse(code, { lang: 'ts' })
      const declared = body
        .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
        .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
      const cuts = declared.flatMap(({ id: named, init }) =>
        propertiesOf(init).flatMap(({ key, value }) => {
          const instead = key.type === 'Identifier' && named.type === 'Identifier' && inPlaceOf(key.name, id, named.name)
          return instead ? [{ ...value, instead }] : []
        })
      )
      // What only the cuts used is not imported any more either: the build follows imports to find what the first screen is made of.
      const imports = body.filter((statement) => statement.type === 'ImportDeclaration')
      const rest = changed(
        code,
        [...imports, ...cuts].map((part) => ({ ...part, instead: '' }))
      )
      const unused = imports.filter(({ specifiers }) => !specifiers.some(({ local }) => new RegExp(`\\b${local.name}\\b`).test(rest)))
      // A declaration of the contract changes nothing by being made: one that nobody uses may go.
      const made = declared.flatMap(({ init }) => (init && makers.includes(init.type) ? [init] : []))
      const pure = made.flatMap(({ start, end }) => [
        { start, end: start, instead: '/* @__PURE__ */ (() => (' },
        { start: end, end, instead: '))()' },
      ])
      return changed(code, [...unused.map((part) => ({ ...part, instead: '' })), ...cuts, ...pure])
    },
  },
})

/** Of an operation or an event, or of what several have alike. */
function propertiesOf(init: ESTree.Expression | null): ESTree.ObjectProperty[] {
  const isCall = init?.type === 'CallExpression' && init.callee.type === 'Identifier'
  const made = isCall ? init.arguments[0] : init?.type === 'TSAsExpression' ? init.expression : init
  if (made?.type !== 'ObjectExpression') return []
  const properties = made.properties.filter((property) => property.type === 'Property')
  return properties.some(({ key }) => key.type === 'Identifier' && ['path', 'method', 'sentence'].includes(key.name)) ? properties : []
}

/** The kinds of expressions that make a schema or an operation, or hold some. */
const makers = ['CallExpression', 'ObjectExpression', 'ArrayExpression']

/** What stands in place of a property of an operation or an event; nothing: it stays. */
function inPlaceOf(property: string, id: string, name: string): string | undefined {
  // That there is a reply is still to be known: an empty answer is none.
  if (property === 'reply') return 'null'
  if (serverOnly.includes(property)) return 'undefined'
  if (property === 'body' && !isWhole(id)) return `() => import('./${basename(id)}${whole}').then((file) => file.${name}.body)`
  return undefined
}

/** The code with each part changed. From the end, so that what stands before keeps its place. */
const changed = (code: string, parts: Span[]) =>
  parts
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end, instead }) => `${rest.slice(0, start)}${instead}${rest.slice(end)}`, code)
