import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type * as z from 'zod/mini'

/** In a built console the schema comes with the form that it checks, in a file of its own: see `lean-contract.ts`. */
type Body = z.ZodMiniType | (() => Promise<z.ZodMiniType>)

export const loadSchema = async (body: Body): Promise<z.ZodMiniType> => (typeof body === 'function' ? body() : body)

/**
 * Checks a form with the body schema of an operation, so that the rules stand once. Every wrong field gets its first message. Where they could
 * not be loaded the server alone checks, and its words stand at the fields as well.
 */
export const schemaResolver =
  <Values extends FieldValues>(body: Body): Resolver<Values> =>
  async (values) => {
    const schema = await loadSchema(body).catch(() => null)
    if (!schema) return { values, errors: {} }
    const result = schema.safeParse(values)
    if (result.success) return { values: result.data as Values, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of result.error.issues) {
      const name = issue.path.join('.') || 'root'
      errors[name] ??= { type: issue.code ?? 'custom', message: issue.message }
    }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }
