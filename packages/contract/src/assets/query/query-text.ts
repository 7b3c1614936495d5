import * as z from 'zod/mini'
import { longestQuery, parseAssetQuery } from './query.ts'

/** A question that can be read; what is wrong with another one is said in words. */
export const AssetQueryText = z.string().check(z.trim(), z.maxLength(longestQuery), (ctx) => {
  const { mistake } = parseAssetQuery(ctx.value)
  if (mistake) ctx.issues.push({ code: 'custom', message: mistake.words, input: ctx.value, path: [] })
})
