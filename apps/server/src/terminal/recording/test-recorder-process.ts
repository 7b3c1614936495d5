import { fileBlobs } from '../../kernel/blobs/file-blobs.ts'
import { recordingDraft, recordingKey } from './recording-key.ts'
import { Recorder } from './recorder.ts'

/** Records a shell that never stops writing, in characters whose bytes come apart, and says each time when something was written how many bytes of it that were. */
const [folder, account_id, id] = process.argv.slice(2) as [string, string, string]
const session = { account_id, id }
const { drafts } = fileBlobs(folder)
let bytes = 0
const recorder = new Recorder({
  drafts: {
    ...drafts,
    append: async (...given) => {
      // All that came until now, as no character is cut here.
      const came = bytes
      const done = await drafts.append(...given)
      process.send?.(came)
      return done
    },
  },
  draft: recordingDraft(session),
  key: recordingKey(session),
  size: { cols: 80, rows: 24 },
  at: Date.now(),
  title: 'Truck',
  onRoom: () => {},
  onFail: (error) => {
    throw error
  },
})
setInterval(() => {
  for (const piece of ['gr\u{fc}n ', '日本 ', '\u{1f69a}\r\n'].map((text) => Buffer.from(text)))
    for (const part of [piece.subarray(0, 3), piece.subarray(3)]) {
      recorder.output(part)
      bytes += part.byteLength
    }
}, 5)
process.on('disconnect', () => process.exit())
