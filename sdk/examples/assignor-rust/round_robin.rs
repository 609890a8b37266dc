//! Deals the partitions of all topics to their subscribers like cards. No crate, no binding: the
//! structs are those of muster/abi, as far as this plugin reads them. Build: README.md.
use std::mem::size_of;
use std::os::raw::{c_char, c_void};
use std::panic::catch_unwind;
use std::{ptr, slice};

#[repr(C)]
pub struct View {
    struct_size: u32,
    topic_count: u32,
    topic_names: *const c_void,
    topic_ids: *const c_void,
    topic_first: *const u32,
    member_count: u32,
    member_ids: *const c_void,
    instance_ids: *const c_void,
    instance_rank: *const u32,
    member_racks: *const u32,
    subscription_count: u32,
    member_subscription: *const u32,
    subscription_first: *const u32,
    subscription_topics: *const u32,
}

#[repr(C)]
pub struct Sink {
    struct_size: u32,
    this: *mut c_void,
    assign: extern "C" fn(*mut c_void, u32, u32, *const u32),
}

#[repr(C)]
pub struct Assignor {
    struct_size: u32,
    create: extern "C" fn(*const c_void, *const c_void, *const c_void) -> *mut c_void,
    destroy: extern "C" fn(*mut c_void),
    assign: extern "C" fn(*mut c_void, *const View, *const Sink, *const c_void) -> i32,
}

#[repr(C)]
pub struct Export {
    interface_id: *const c_char,
    name: *const c_char,
    table: *const Assignor,
    options: *const c_void,
    option_count: u32,
    features: *const c_void,
    feature_count: u32,
}

#[repr(C)]
pub struct Plugin {
    struct_size: u32,
    abi_major: u32,
    abi_minor: u32,
    export_count: u32,
    id: *const c_char,
    version: *const c_char,
    license: *const c_char,
    exports: *const Export,
}

// Constant data: any thread may read it.
unsafe impl Sync for Export {}
unsafe impl Sync for Plugin {}

const OK: i32 = 0;
const INTERNAL: i32 = 4;

extern "C" fn create(_: *const c_void, _: *const c_void, _: *const c_void) -> *mut c_void {
    ptr::NonNull::<u8>::dangling().as_ptr().cast() // there is no state, but NULL means "failed"
}

extern "C" fn destroy(_: *mut c_void) {}

/// Nothing may unwind across the border.
extern "C" fn assign(_: *mut c_void, view: *const View, out: *const Sink, _: *const c_void) -> i32 {
    let deal = || unsafe { deal(&*view, &*out) };
    catch_unwind(deal).map_or(INTERNAL, |()| OK)
}

unsafe fn deal(view: &View, out: &Sink) {
    if view.topic_count == 0 || view.member_count == 0 {
        return; // the arrays may be NULL
    }
    let array = |data: *const u32, size: usize| unsafe { slice::from_raw_parts(data, size) };
    let (topics, members) = (view.topic_count as usize, view.member_count as usize);
    let topic_first = array(view.topic_first, topics + 1);
    let subscription = array(view.member_subscription, members);
    let first = array(view.subscription_first, view.subscription_count as usize + 1);
    let mut subscribers = vec![Vec::new(); topics];
    for member in 0..members {
        let at = subscription[member] as usize;
        let (from, to) = (first[at], first[at + 1]);
        let subscribed = view.subscription_topics.wrapping_add(from as usize);
        for &topic in array(subscribed, (to - from) as usize) {
            subscribers[topic as usize].push(member as u32);
        }
    }
    let mut turn = 0;
    for topic in (0..topics).filter(|&topic| !subscribers[topic].is_empty()) {
        for partition in topic_first[topic]..topic_first[topic + 1] {
            let member = subscribers[topic][turn % subscribers[topic].len()];
            (out.assign)(out.this, partition, 1, &member);
            turn += 1;
        }
    }
}

static TABLE: Assignor =
    Assignor { struct_size: size_of::<Assignor>() as u32, create, destroy, assign };

static EXPORTS: [Export; 1] = [Export {
    interface_id: b"muster.consumer.partition-assignor/1\0".as_ptr().cast(),
    name: b"round-robin-rs\0".as_ptr().cast(),
    table: &TABLE,
    options: ptr::null(),
    option_count: 0,
    features: ptr::null(),
    feature_count: 0,
}];

static PLUGIN: Plugin = Plugin {
    struct_size: size_of::<Plugin>() as u32,
    abi_major: 0,
    abi_minor: 1,
    export_count: 1,
    id: b"org.example.round-robin-rs\0".as_ptr().cast(),
    version: b"0.1.0\0".as_ptr().cast(),
    license: b"Apache-2.0\0".as_ptr().cast(),
    exports: EXPORTS.as_ptr(),
};

#[no_mangle]
pub extern "C" fn muster_plugin_entry(host_abi_major: u32) -> *const Plugin {
    if host_abi_major == PLUGIN.abi_major { &PLUGIN } else { ptr::null() }
}
