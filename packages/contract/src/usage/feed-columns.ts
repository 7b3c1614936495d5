/** The columns of a file, and the fields of a record. */
export const recordColumns = [
  'id',
  'imsi',
  'iccid',
  'msisdn',
  'started_at',
  'ended_at',
  'bytes_up',
  'bytes_down',
  'mccmnc',
  'rat',
  'imei',
  'apn',
] as const
