// Values that are made once, when they are first asked for.

/** Makes a function that makes something when it is first called, and gives the same again from then on. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes the same of an equal value; what is made stays as long as the function does. */
export function oncePerValue<Value, Made extends {}>(make: (value: Value) => Made): (value: Value) => Made {
  const made = new Map<Value, Made>();
  return (value) => keptIn(made, value, () => make(value));
}

/** Gives what a map has of a key, or makes and keeps it; where it has `most` already, what came first goes. */
export function keptIn<Key, Made extends {}>(
  kept: Map<Key, Made>,
  key: Key,
  make: () => Made,
  most = Number.POSITIVE_INFINITY,
): Made {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= most) kept.delete(kept.keys().next().value!);
  kept.set(key, made);
  return made;
}

/** Makes the same of an object: what is made goes with it. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
