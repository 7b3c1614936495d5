import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import * as z from 'zod/mini'

/** Checks a form with the body schema of an operation, so that the rules stand once. Every wrong field gets its first message. */
export const schemaResolver =
  <Values extends FieldValues>(schema: z.ZodMiniType): Resolver<Values> =>
  (values) => {
    const result = z.safeParse(schema, values)
    if (result.success) return { values: result.data as Values, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of result.error.issues) {
      const name = issue.path.join('.') || 'root'
      errors[name] ??= { type: issue.code ?? 'custom', message: issue.message }
    }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }
