import { problem } from '../kernel/problem.ts'

export const feedKeyUnknown = problem({
  code: 'feed_key_unknown',
  status: 403,
  title: 'No feed has this key: send it in the header X-Feed-Key',
})
