/** Codes of the forms of nets: files, unfolded nets, matrices, drawings. */
export const NET_FORM_AREAS = {
  netJson: {
    title: 'Nets in JSON',
    example: 'How it reads',
    codes: {
      NET100: {
        meaning: 'The text or its content exceeds the limits.',
        example: 'net.json:11:13: NET100 places[0].initial[0]: the initial marking has more than 4194304 tokens',
      },
      NET101: {
        meaning: 'The text is not valid JSON.',
        example: 'net.json:1:11: NET101 invalid JSON: expected "," or "]", got "2"',
      },
      NET102: {
        meaning: 'The text has another format or version.',
        example: 'net.json:1:1: NET102 expected version 1, got 2',
      },
      NET103: {
        meaning: 'An expression, or a skipped value, is nested too deeply.',
        example: 'NET103 transition work: an expression is nested deeper than 200',
      },
      NET104: {
        meaning: 'A value has the wrong type.',
        example: 'net.json:16:11: NET104 transitions[0].name: expected a string, got a number',
      },
      NET105: {
        meaning: 'Unknown member.',
        example: 'net.json:4:1: NET105 colours[0]: unknown member "low" of kind "integer".',
      },
      NET106: { meaning: 'Missing member.', example: 'net.json:4:1: NET106 colours[0]: missing member "high"' },
      NET107: {
        meaning: 'Duplicate member.',
        example: 'net.json:19:13: NET107 transitions[0].delay: duplicate member',
      },
      NET108: {
        meaning: 'A number is not an integer, or exceeds 32 bits, 2^53 or a double.',
        example: 'net.json:8:28: NET108 tables[0]: expected a 32-bit integer, got 0.5',
      },
      NET109: {
        meaning: 'An unknown operator, or the wrong number of operands.',
        example: 'net.json:19:10: NET109 transitions[0].delay: "add" has 1 operand, expected 2',
      },
      NET110: {
        meaning: 'A string is not one of the expected values.',
        example:
          'net.json:11:13: NET110 colour set "Sort" has no value "gren". Did you mean "green"? Known: red, green.',
      },
      NET111: {
        meaning: 'A net has a host-language function, which cannot be written.',
        example:
          'NET111 transition sweep: host-language function "wear" cannot be written to a file: use a table instead',
      },
      NET112: {
        meaning: 'A file declares a net untimed, but a transition has a delay or timing.',
        example: 'net.json:16:5: NET112 transition move: has a delay or timing in an untimed net: expected none',
      },
    },
  },
  pnml: {
    title: 'Nets in PNML',
    example: 'What provokes it',
    codes: {
      PNML001: {
        meaning: 'The input is empty, binary, too large, invalid in its encoding, or neither a string nor bytes.',
        example: 'an image',
      },
      PNML002: { meaning: 'The file is not well-formed XML, or ends too early.', example: '<place id="p">' },
      PNML003: {
        meaning: 'The file has a document type: nets have none, and entities are never expanded.',
        example: '<!DOCTYPE pnml [ … ]>',
      },
      PNML004: { meaning: 'Elements are nested too deeply.', example: 'a page in a page in a page …' },
      PNML005: { meaning: 'An element is unknown or misplaced.', example: '<place id="p"><delay/></place>' },
      PNML006: { meaning: 'An attribute is missing or empty.', example: '<arc id="a" source="p"/>' },
      PNML007: {
        meaning: 'A number is invalid, negative, or larger than supported.',
        example: '<inscription><text>-1</text></inscription>',
      },
      PNML008: { meaning: 'A duplicate id or label.', example: 'two places with the id "p"' },
      PNML009: {
        meaning: 'There is no net, there are several, or its type is not supported.',
        example: '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnnet">',
      },
      PNML010: { meaning: 'A reference to an unknown id.', example: '<arc id="a" source="p" target="?"/>' },
      PNML011: {
        meaning: 'An arc does not connect a place and a transition, or has the wrong direction.',
        example: 'an arc between two places',
      },
      PNML012: {
        meaning: 'A sort, an operator or a reference contains itself.',
        example: '<namedsort id="s" name="S"><usersort declaration="s"/></namedsort>',
      },
      PNML013: {
        meaning: 'A sort is not supported: it is infinite, or not a sort of symmetric nets.',
        example: '<type><structure><natural/></structure></type>',
      },
      PNML014: { meaning: 'An operator is unknown or not supported.', example: '<cardinality>' },
      PNML015: { meaning: 'A sort or an operator has the wrong number of parts.', example: '<successor/>' },
      PNML016: { meaning: 'Sorts do not match.', example: 'a process on an arc to a place of resources' },
      PNML017: {
        meaning: 'An initial marking has variables, or a negative number of tokens of a colour.',
        example: "the marking 1'a − 2'a",
      },
      PNML018: {
        meaning: 'A colour set, a multiset or an expression has more parts than supported.',
        example: '<all> of a product of 10¹² colours',
      },
      PNML019: {
        meaning: 'A label is missing, or has only <text> where <structure> is needed.',
        example: 'a place of a symmetric net without a type',
      },
      PNML020: {
        meaning: 'An arc has an unsupported kind, or an unsupported combination of features.',
        example: '<type value="transport"/>',
      },
      PNML021: {
        meaning: 'An attribute of a node, arc or label is unknown, or has a meaning that is not supported.',
        example: '<arc id="a" source="p" target="t" wieght="2"/>',
      },
    },
  },
  pnpro: {
    title: 'Projects of GreatSPN',
    example: 'What provokes it',
    codes: {
      PNPRO001: { meaning: 'The project has no net, or several.', example: 'a project with two <gspn>' },
      PNPRO002: { meaning: 'An element or text is unknown or misplaced.', example: '<nodes><clock name="x"/></nodes>' },
      PNPRO003: { meaning: 'An attribute is missing.', example: '<arc kind="INPUT" head="t"/>' },
      PNPRO004: {
        meaning: 'An attribute is unknown, or has a meaning that is not supported.',
        example: '<transition name="t" type="CONT"/>',
      },
      PNPRO005: {
        meaning:
          'An expression is wrong, has no value, uses functions other than Min, Max and If, or depends on the marking and is no rate or weight.',
        example: '<arc mult="Max[1,#p]" …/>',
      },
      PNPRO006: { meaning: 'A number is out of range.', example: '<transition name="t" type="EXP" delay="0"/>' },
      PNPRO007: { meaning: 'A duplicate name or arc.', example: 'a place and a transition named "a"' },
      PNPRO008: {
        meaning: 'An arc refers to an unknown node, or its kind does not fit its ends.',
        example: '<arc kind="OUTPUT" tail="p" head="t"/>',
      },
      PNPRO009: { meaning: 'A place or constant has colours.', example: '<place name="p" domain="Philo"/>' },
    },
  },
  unfold: {
    title: 'Unfolding',
    example: 'What provokes it',
    codes: {
      UNF001: {
        meaning: 'A field or free variable ranges over the unbounded integers.',
        example: "n.place('p', { k: n.integer('Int') })",
      },
      UNF002: {
        meaning: 'The unfolded net would have more places and transitions than the limit.',
        example: 'a place of two fields 0 … 9999 with `reachableOnly: false`',
      },
      UNF003: {
        meaning: 'The search for bindings tries too many combinations: a guard excludes them only when complete.',
        example: 'four arcs to places of 1000 colours each, and a guard on their sum',
      },
      UNF004: {
        meaning: 'In a fifo or priority place, tokens of several colours share one queue: their order would be lost.',
        example: "order: 'fifo' of a place with two colours",
      },
      UNF005: {
        meaning: 'A service is shared by several colours, which would become separate stations.',
        example: 'one server for a place with two colours',
      },
      UNF006: {
        meaning:
          'A transition resets only some of the colours that share a capacity or are counted by one inhibitor: the remaining tokens depend on the marking.',
        example: "t.reset(buffer, { sort: 'red' }) of a buffer with a capacity",
      },
      UNF007: {
        meaning: 'An inhibitor counts several tokens over several colours of a place with a service.',
        example: 't.inhibit(station, {}, 3) of an infinite server with two colours',
      },
      UNF008: {
        meaning: 'A race with a single server has several bindings that share it.',
        example: "t.race({ delay: 1, servers: 'single' }) of a transition with two bindings",
      },
      UNF009: {
        meaning: 'An expression has no valid value for a possible binding.',
        example: 'times.at(k) where k may be 5 in a table of five',
      },
      UNF010: {
        meaning: 'The unfolded net would have more than ten arcs per node of the limit.',
        example: 'an inhibitor without pattern on a place of 10,000 colours in 10,000 bindings',
      },
    },
  },
  incidence: {
    title: 'Incidence matrices',
    example: 'What provokes it',
    codes: {
      INC001: {
        meaning: 'The matrix would have more than ten million cells, too many for a table in CSV.',
        example: 'a net of 10,000 places and 2,000 transitions',
      },
      INC002: { meaning: 'A number of tokens does not fit into 32 bits.', example: 't.take(p, {}, 2 ** 32)' },
    },
  },
  svg: {
    title: 'Drawings',
    example: 'What provokes it',
    codes: {
      SVG001: {
        meaning: 'More nodes or arcs than the limit: the layout would be slow, and the drawing unreadable.',
        example: 'a net of 301 places',
      },
    },
  },
} as const;
