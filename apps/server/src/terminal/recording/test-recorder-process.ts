import { fileBlobs } from '../../kernel/blobs/file-blobs.ts'
import { recordingDraft, recordingKey } from './recording-key.ts'
import { Recorder } from './recorder.ts'

/** Records a shell that never stops writing, in characters whose bytes come apart, and says each second how many bytes that were. */
const [folder, account_id, id] = process.argv.slice(2) as [string, string, string]
const session = { account_id, id }
const recorder = new Recorder({
  drafts: fileBlobs(folder).drafts,
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
let bytes = 0
setInterval(() => {
  for (const piece of ['gr\u{fc}n ', '日本 ', '\u{1f69a}\r\n'].map((text) => Buffer.from(text)))
    for (const part of [piece.subarray(0, 3), piece.subarray(3)]) {
      recorder.output(part)
      bytes += part.byteLength
    }
}, 5)
setInterval(() => process.send?.(bytes), 1000)
process.on('disconnect', () => process.exit())
