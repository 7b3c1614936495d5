import * as z from 'zod/mini'

type Schema = z.ZodMiniType
type Inner = Partial<
  Record<'innerType' | 'element' | 'valueType' | 'in' | 'out', Schema> & { options: readonly Schema[] } & {
    shape: Record<string, Schema>
    catchall: Schema
  }
>

/** The parts of a schema that hold others. */
const holders = ['innerType', 'element', 'valueType', 'in', 'out'] as const

/**
 * The same schema, refusing fields it does not name, however deep. It is made here for every body and query, and not in each of them, so that
 * no call forgets it: a misspelt field that is dropped in silence means something else (`alert_id` for `alert_ids`: all of them).
 */
export function strict<Of extends Schema>(schema: Of): Of {
  const def = schema._zod.def as unknown as Inner
  const changed: Inner = {}
  for (const name of holders) if (def[name]) changed[name] = strict(def[name])
  if (def.options) changed.options = def.options.map(strict)
  if (def.shape) {
    changed.shape = Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, strict(field)]))
    changed.catchall = def.catchall ?? z.never()
  }
  return Object.keys(changed).length === 0 ? schema : (z.clone(schema, { ...schema._zod.def, ...changed } as never) as Of)
}
