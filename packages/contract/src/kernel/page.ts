import * as z from 'zod/mini'

/** Rows a table shows at once (spec §9). */
export const pageSize = 10
/** A count stops here and then says so. */
export const countCap = 10_000

/** `page` reaches the first 10,000 rows; `after` (a list's `next`) reaches any depth. */
export const PageQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(countCap)), 1),
  page_size: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), pageSize),
  after: z.optional(z.string().check(z.maxLength(2000))),
})
export type PageQuery = z.output<typeof PageQuery>

export const page = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** Exact up to 10,000 (and always without a filter); else 10,000 with `total_capped`. */
    total: z.int(),
    total_capped: z.boolean(),
    /** Give it back as `after` for the following page; null on the last. */
    next: z.nullable(z.string()),
  })

export type Page<Item> = {
  items: Item[]
  total: number
  total_capped: boolean
  next: string | null
}
