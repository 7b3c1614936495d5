import * as z from 'zod/mini'

/** What can be done with many assets at once. */
export const BulkAction = z.enum(['add_tags', 'remove_tags', 'activate_sim', 'deactivate_sim', 'set_network_group'])
export type BulkAction = z.output<typeof BulkAction>
